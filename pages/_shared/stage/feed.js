// Keeps the run supplied with frames: knows the scene that is shown and what the user is doing.

import { Line } from "./line.js";
import { Run } from "./run.js";
import { wishes } from "./wishes.js";

export class Feed {
  /**
   * @param {import("./line.js").Exchange} exchange
   * @param {() => void} onFrames called when frames have come
   */
  constructor(exchange, onFrames) {
    this.onFrames = onFrames;
    this.intent = { at: 0 };
    this.line = new Line(exchange, (answer) => this.take(answer), () => this.wish());
  }

  /**
   * What Python answers to a move. The frames of a scene stay as long as it is shown.
   * @param {string} scene
   * @param {string} opening an Opening as JSON
   * @returns {boolean} whether there is another run to show
   */
  open(scene, opening) {
    if (scene === this.scene && opening === this.opening) return false;
    const parsed = JSON.parse(opening);
    const fresh = scene !== this.scene;
    if (fresh) {
      this.run = new Run(parsed);
      this.intent = { at: 0 };
      this.line.forget();
    } else this.run.addOpening(parsed);
    Object.assign(this, { scene, opening });
    return fresh;
  }

  /**
   * The user does something; ask for the frames that it needs.
   * @param {import("./wishes.js").Intent} intent
   */
  aim(intent) {
    this.intent = intent;
    this.line.ask();
  }

  wish() {
    return { scene: this.scene, steps: wishes(this.run, this.intent), at: this.intent.at };
  }

  take({ scene, frames }) {
    if (scene !== this.scene || !frames) return false;
    const steps = JSON.parse(frames);
    this.run.add(steps, frames.length, this.intent.at);
    this.onFrames();
    return Object.keys(steps).length > 0;
  }

  close() {
    this.line.close();
  }
}
