// Sends what a button or key asks for to the part of the stage that does it.

/** The parts of the stage that buttons and keys control. */
export class Commands {
  /**
   * @param {object} parts
   * @param {import("./quiz.js").Quiz} parts.quiz
   * @param {import("./player.js").Player} parts.player
   * @param {import("./painting.js").Painting} parts.painting
   * @param {import("./fork.js").Fork} parts.fork
   * @param {import("./help.js").Help} parts.help
   * @param {import("./present.js").Presenter} parts.presenter
   * @param {import("./embedding.js").Embedding} parts.embedding
   * @param {import("./film_strip.js").FilmStrip} parts.strip
   * @param {import("./signs_panel.js").SignsPanel} parts.signs
   * @param {import("./room/room.js").Room} parts.room
   * @param {import("./lesson.js").Lesson} parts.lesson
   * @param {import("./goal.js").Goal} parts.goal
   * @param {import("./predict_offer.js").PredictOffer} parts.predictOffer
   * @param {import("./tour.js").Tour} parts.tour
   * @param {import("./words.js").Words} parts.words
   */
  constructor(parts) {
    this.parts = parts;
    const { painting, fork, help, presenter, embedding, signs, strip, room, lesson, goal } = parts;
    /** @type {Record<string, () => void>} all others are the player's */
    this.actions = {
      undo: () => painting.goBack("undo"),
      redo: () => painting.goBack("redo"),
      closer: () => painting.closer(),
      farther: () => painting.farther(),
      help: () => help.open(),
      signs: () => signs.toggle(),
      strip: () => strip.toggle(),
      room: () => room.toggle(),
      answer: () => lesson.turn(),
      hint: () => goal.hint(),
      tour: () => this.guide(),
      "previous situation": () => lesson.go("previous"),
      "next situation": () => lesson.go("next"),
      "end situation": () => lesson.end(),
      fork: () => fork.ask(),
      present: () => presenter.toggle(),
      controls: () => presenter.fold(),
      "give back": () => embedding.giveBack(),
      "large step": () => this.turn("large", "Large step number"),
      loop: () => this.turn("loop", "Playing in a loop"),
      "stop at events": () => this.turn("stops", "Stopping at events"),
    };
  }

  /**
   * Do what a button asks for. The quiz comes first: while it asks, some of these actions are
   * answers.
   */
  do(action) {
    if (this.parts.quiz.takes(action)) return;
    if (action in this.actions) this.actions[action]();
    else this.parts.player.do(action);
    if (action === "play") this.parts.predictOffer.offer();
  }

  // The legend makes way for the tour, which begins with its first marks.
  guide() {
    const { signs, tour } = this.parts;
    signs.close();
    tour.begin(signs.classes);
  }

  // Switch a setting of the player on or off, and show a notice.
  turn(name, what) {
    const on = this.parts.help.turn(name);
    this.parts.words.say(`${what}: ${on ? "on" : "off"}`);
  }

  /**
   * Do what a key asks for.
   * @param {{do?: string, tool?: string, label?: number, answer?: number}} asked see keys.js
   * @returns {boolean} whether it was for the stage
   */
  act(asked) {
    const { quiz, painting, presenter, signs, room, tour } = this.parts;
    if (asked.do) this.do(asked.do);
    else if (asked.answer !== undefined) quiz.answer(asked.answer);
    else if (asked.tool) {
      if (asked.tool === "look" && (signs.close() || room.hideCode() || tour.end())) return true;
      if (asked.tool === "look") presenter.leave();
      painting.choose(asked.tool);
    } else if (painting.classes) painting.setLabel(asked.label);
    else return false;
    return true;
  }

  /** A button has been pressed. @param {{target: any}} event */
  click({ target }) {
    const { do: action, tool } = target.closest("button")?.dataset ?? {};
    if (action) this.do(action);
    if (tool) this.parts.painting.choose(tool);
  }
}
