// The questions and the answers so far, independent of the page.

export const LETTERS = "ABCDE"; // letters of the answers

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

/** The questions and answers of a quiz, or of Predict, which asks before every step. */
export class QuizState {
  /**
   * @param {number[]} [steps] of a quiz, ascending; none: whatever the player comes to is asked
   * @param {Given[]} [answers] that were given before the page was loaded again
   */
  constructor(steps = [], answers = []) {
    this.steps = steps;
    this.open = null;
    this.given = null;
    this.answers = new Map(answers.map((given) => [given.step, given])); // only the first one counts
  }

  get isQuiz() {
    return this.steps.length > 0;
  }

  /** Ask a question about the step after `step`. */
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

  /** Show the answer of the open question, which others have answered. In a quiz it counts as skipped. */
  reveal() {
    const { step, question } = this.open;
    this.given = { step, question, chosen: undefined, right: false, at: Date.now(), seconds: 0 };
    this.open = null;
    if (this.isQuiz && !this.answers.has(step)) this.answers.set(step, this.given);
  }

  /**
   * Return the step at which the question was asked or to which its answer led; null without one.
   */
  get place() {
    return this.open?.step ?? (this.given ? this.given.step + 1 : null);
  }

  /** Drop the question, because another step is shown. */
  leave() {
    this.open = this.given = null;
  }

  get right() {
    return [...this.answers.values()].filter(({ right }) => right).length;
  }

  get missed() {
    return [...this.answers.values()].filter(({ right }) => !right);
  }

  /** Return the first step of the quiz that has no answer; undefined when the quiz is over. */
  get next() {
    return this.steps.find((step) => !this.answers.has(step));
  }

  get score() {
    const { right, answers, steps } = this;
    if (this.isQuiz) return `${right} right of ${answers.size} answered, ${steps.length} in all`;
    return answers.size ? `${right} right of ${answers.size}` : "";
  }

  /** Write the result when a quiz is over. */
  get result() {
    return `The quiz is over: ${this.right} of ${this.steps.length} right.`;
  }

  /**
   * Return the step whose frame is needed after a step's frame, since questions come with frames.
   */
  following(step) {
    if (!this.isQuiz || this.steps.includes(step)) return step + 1;
    return this.steps.find((other) => other > step) ?? step;
  }
}

/** Say whether an answer was right. @param {{question: object, chosen?: number | null}} given */
export function verdict({ question, chosen }) {
  const { right, options } = question;
  const answer = `${LETTERS[right]}, ${options[right].text}`;
  if (chosen === undefined) return `It was ${answer}.`;
  if (chosen === right) return `✓ Right: ${answer}.`;
  return chosen === null ? `Skipped. It was ${answer}.` : `✕ No, not ${LETTERS[chosen]}. It was ${answer}.`;
}

/**
 * Return the address of this page, as a link that starts at the beginning of the run.
 * @param {string} href
 * @param {string} origin for links; "" if others can reach the page's own
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
