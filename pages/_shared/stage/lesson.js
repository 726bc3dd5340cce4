// The situation under way: its question above the picture, its answer, and the way to the next one.
// The links to other situations are Streamlit's, hidden in the page; here they are pressed.

const WAYS = { previous: ".st-key-previous_situation a", next: ".st-key-next_situation a" };
const END = ".st-key-end_situation button";

/** What a stage hands on to the one after it, since a stage ends when its lab is left. */
const handedOn = { going: false, presenting: false };

export class Lesson {
  /**
   * @param {HTMLElement} root the stage's
   * @param {import("./present.js").Presenter} presenter
   * @param {import("./words.js").Words} words
   */
  constructor(root, presenter, words) {
    /** @type {any} */
    const box = root.querySelector(".lesson");
    this.root = root;
    this.box = box;
    this.presenter = presenter;
    this.words = words;
    this.lab = root.querySelector(".on-wall");
    this.asks = box.querySelector(".asks");
    this.question = box.querySelector("strong");
    this.todo = box.querySelector(".asks span");
    this.answer = box.querySelector('[data-do="answer"]');
    this.tells = box.querySelector(".tells");
    this.stop = box.querySelector(".stop");
    this.buttons = { previous: box.querySelector('[data-do="previous situation"]'), next: box.querySelector('[data-do="next situation"]') };
    /** @type {import("./protocol.js").Lesson | null} */
    this.shown = null;
    this.onTold = () => {}; // called when a situation comes, and when its answer opens or closes
    this.observer = new ResizeObserver(() => this.measure());
    this.observer.observe(box);
  }

  // The rows of the stage begin below the question.
  measure() {
    this.root.style.setProperty("--asked", `${Math.ceil(this.box.offsetHeight)}px`);
  }

  /**
   * Show the lab's title on the wall, and the situation. The answer of another situation is closed.
   * @param {string} lab
   * @param {import("./protocol.js").Lesson | null} lesson
   */
  show(lab, lesson) {
    this.lab.textContent = lab;
    const another = lesson?.question !== this.shown?.question || lesson?.place !== this.shown?.place;
    this.shown = lesson;
    this.box.hidden = !lesson;
    if (lesson) {
      this.question.textContent = lesson.question;
      this.todo.textContent = lesson.todo;
      this.stop.textContent = lesson.place;
      this.point("previous", "Previous situation", ",", lesson.previous);
      this.point("next", "Next situation", ".", lesson.next);
      this.answer.hidden = !lesson.answer;
    }
    if (another) this.tell(false);
    this.measure();
    if (handedOn.going && another) this.arrive();
  }

  /** @param {"previous" | "next"} way @param {string} label @param {string} key @param {string} to */
  point(way, label, key, to) {
    const button = this.buttons[way];
    button.disabled = !to;
    button.title = to ? `${label}, ${to} (${key})` : `${label}: there is none`;
    button.setAttribute("aria-label", to ? `${label}, ${to}` : label);
  }

  // A key or button has led here: presenter mode goes on, and the focus is on the question.
  arrive() {
    if (handedOn.presenting && !this.presenter.on) this.presenter.enter();
    this.presenter.handsOn = handedOn.going = false;
    this.asks.focus({ preventScroll: true });
  }

  /** Open or close the answer. */
  turn() {
    if (!this.shown) this.words.say("No situation is open. Choose one under Try this or in the course");
    else if (this.shown.answer) this.tell(!this.told);
    else this.words.say("This situation has no answer");
  }

  /** Whether the answer of the situation under way has still to be found. */
  get closed() {
    return Boolean(this.shown?.answer) && !this.told;
  }

  /** Whether the number of steps tells the answer of the situation under way. */
  get hidesEnd() {
    return Boolean(this.shown?.hides_end);
  }

  get told() {
    return this.answer.getAttribute("aria-expanded") === "true";
  }

  /** @param {boolean} on */
  tell(on) {
    this.answer.setAttribute("aria-expanded", on);
    this.tells.textContent = on && this.shown ? this.shown.answer : "";
    this.onTold();
  }

  /** Go to the situation before or after this one. @param {"previous" | "next"} way */
  go(way) {
    /** @type {HTMLElement | null} */
    const link = document.querySelector(WAYS[way]);
    if (!link) return this.words.say(this.shown ? `There is no ${way} situation` : "No situation is open. Choose one under Try this or in the course");
    handedOn.going = true;
    handedOn.presenting = this.presenter.handsOn = this.presenter.on;
    link.click();
  }

  end() {
    /** @type {HTMLElement | null} */ (document.querySelector(END))?.click();
    /** @type {HTMLElement | null} */ (this.root.querySelector(".picture"))?.focus({ preventScroll: true });
  }

  destroy() {
    this.observer.disconnect();
  }
}
