// Requests the frames that are needed for the scene on the stage and for what the user is doing.

import { FrameChannel } from "./frame_channel.js";
import { Run } from "./run.js";
import { framesWanted } from "./frame_plan.js";
import { MOST_WANTED } from "./protocol.js";

export class FrameSupply {
  /**
   * @param {import("./frame_channel.js").Exchange} exchange
   * @param {() => void} onFrames called when frames have come
   */
  constructor(exchange, onFrames) {
    this.onFrames = onFrames;
    this.scene = ""; // key of the scene
    this.opening = ""; // the last opening, as JSON
    /** @type {Run} */
    this.run; // set when the first opening has come
    /** @type {import("./frame_plan.js").Intent} */
    this.intent = { at: 0 };
    /** @type {number[]} */
    this.also = []; // steps that the film strip shows
    this.channel = new FrameChannel(exchange, (answer) => this.take(answer), () => this.wish());
  }

  /**
   * Take Python's answer to a move. The frames of a scene are kept as long as it is shown.
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
      this.also = [];
      this.channel.forget();
    } else this.run.addOpening(parsed);
    this.scene = scene;
    this.opening = opening;
    return fresh;
  }

  /**
   * Note what the user is doing, and request the frames that this needs.
   * @param {import("./frame_plan.js").Intent} intent
   */
  aim(intent) {
    this.intent = intent;
    this.channel.ask();
  }

  /** Request frames that are to be seen besides the shown step. @param {number[]} steps */
  wantAlso(steps) {
    this.also = steps;
    this.channel.ask();
  }

  wish() {
    const also = this.also.filter((step) => !this.run.holds(step));
    const steps = [...new Set([...framesWanted(this.run, this.intent), ...also])].slice(0, MOST_WANTED);
    return { scene: this.scene, steps, at: this.intent.at };
  }

  take({ scene, frames }) {
    if (scene !== this.scene || !frames) return false;
    const steps = JSON.parse(frames);
    this.run.add(steps, frames.length, this.intent.at);
    this.onFrames();
    return Object.keys(steps).length > 0;
  }

  close() {
    this.channel.close();
  }
}
