// What is asked before a step and what is answered; nothing of the page.

export const LETTERS = "ABCDE"; // of the answers

/**
 * A question that was answered.
 * @typedef {object} Given
 * @property {number} step
 * @property {any} question
 * @property {number | null} chosen null: it was skipped
 * @property {boolean} right
 * @property {number} at milliseconds since 1970
 * @property {number} seconds from the question to the answer
 */

/** What was asked and what was answered; of the steps of a quiz, or of all that come. */
export class QuizState {
  /**
   * @param {number[]} [steps] of a quiz, ascending; none: whatever the player comes to is asked
   * @param {Given[]} [answers] that were given before the page was loaded again
   */
  constructor(steps = [], answers = []) {
    this.steps = steps;
    this.open = null;
    this.given = null;
    this.answers = new Map(answers.map((given) => [given.step, given])); // the first answer counts
  }

  get isQuiz() {
    return this.steps.length > 0;
  }

  /** Put a question about the step after `step`. */
  ask(step, question) {
    this.open = { step, question, since: Date.now() };
    this.given = null;
  }

  /** Take an answer to the open question: an option's index, or null if it is skipped. */
  answer(chosen) {
    const { step, question, since } = this.open;
    const at = Date.now();
    const seconds = Math.round((at - since) / 1000);
    this.given = { step, question, chosen, right: chosen === question.right, at, seconds };
    this.open = null;
    if (!this.answers.has(step)) this.answers.set(step, this.given);
  }

  /** The step that the question stands at, or led to; null where there is none. */
  get place() {
    return this.open?.step ?? (this.given ? this.given.step + 1 : null);
  }

  /** The question is left: another step is shown than the one it stands at or led to. */
  leave() {
    this.open = this.given = null;
  }

  /** Whether a view has to be hidden: it would tell what is asked. */
  veils({ ahead = false }) {
    return this.open !== null && ahead;
  }

  get right() {
    return [...this.answers.values()].filter(({ right }) => right).length;
  }

  get missed() {
    return [...this.answers.values()].filter(({ right }) => !right);
  }

  /** The first step of the quiz that has no answer; undefined: it is over. */
  get next() {
    return this.steps.find((step) => !this.answers.has(step));
  }

  get score() {
    const { right, answers, steps } = this;
    if (this.isQuiz) return `${right} right of ${answers.size} answered, ${steps.length} in all`;
    return answers.size ? `${right} right of ${answers.size}` : "";
  }

  /** What is said when a quiz is over. */
  get result() {
    return `The quiz is over: ${this.right} of ${this.steps.length} right.`;
  }

  /** The step whose frame is wanted after that of a step, for questions come with frames. */
  following(step) {
    if (!this.isQuiz || this.steps.includes(step)) return step + 1;
    return this.steps.find((other) => other > step) ?? step;
  }
}

/** Say whether an answer was right. @param {{question: object, chosen: number | null}} given */
export function verdict({ question, chosen }) {
  const { right, options } = question;
  const answer = `${LETTERS[right]}, ${options[right].text}`;
  if (chosen === right) return `✓ Right: ${answer}.`;
  return chosen === null ? `Skipped. It was ${answer}.` : `✕ No, not ${LETTERS[chosen]}. It was ${answer}.`;
}

/**
 * The address of this page as a link, from the beginning of the run.
 * @param {string} href
 * @param {string} origin that others reach; "" where they reach the page's own
 */
export function pageLink(href, origin) {
  const { pathname, search } = new URL(href);
  const link = new URL(pathname + search, origin || href);
  link.searchParams.delete("step");
  return link;
}

/**
 * The address of this page as a quiz of `count` questions, which begins with the first one.
 * @param {string} origin see `pageLink`
 */
export function quizLink(href, origin, count, seed) {
  const link = pageLink(href, origin);
  link.searchParams.set("quiz", count);
  link.searchParams.set("quiz_seed", seed);
  return link.href;
}
