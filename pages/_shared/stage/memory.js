// What to come back to in every mode of every lab: the step, the zoom, the open views.

/**
 * What was seen of a mode.
 * @typedef {object} Seen
 * @property {string} run key of the run
 * @property {number} at the step
 * @property {number} end the last step
 * @property {string} bounds of the plane
 * @property {{x: number[], y: number[]} | null} zoom
 * @property {object} [arrangement] of the views beside the picture
 */

/**
 * What Python has answered.
 * @typedef {object} Answer
 * @property {string} place the lab and its mode
 * @property {string} run
 * @property {string} bounds
 * @property {number} fork the step that is done differently; 0: none
 * @property {number} end the last step of the run
 * @property {string} session the one that answers
 * @property {number} links how many links it has opened
 * @property {number} at the step that the last of them wants
 */

/**
 * Where to be when Python has answered a move: at the same step, as far as the run has it; where
 * one run was at its end, so is the next.
 * @param {{run: string, at: number, end?: number} | undefined} before what was shown of the lab
 * @param {string} run key of the run that is shown now
 * @param {number} end its last step
 * @returns {{at: number, another: boolean, atEnd: boolean}}
 */
export function resumed(before, run, end) {
  const another = before !== undefined && before.run !== run;
  const atEnd = another && before.at > 0 && before.at === before.end;
  return { at: atEnd ? end : Math.min(before?.at ?? 0, end), another, atEnd };
}

export class Memory {
  constructor() {
    /** @type {Record<string, Seen>} by lab and mode */
    this.modes = {};
    this.session = ""; // that has answered last
    this.links = 0; // that it has opened
  }

  /**
   * Where to go on, and note that this is shown from now on.
   * @param {Answer} now
   * @param {{place?: string, fork?: number}} last what the stage has shown until now
   */
  resume(now, last) {
    const { place, run, bounds, end } = now;
    const followed = now.links !== this.links && !this.begunAgain(now);
    this.session = now.session;
    this.links = now.links;
    const known = this.modes[place];
    const before = this.justForked(now, last) ?? known ?? this.endedBeside(place, last.place);
    const resume = resumed(followed ? { run, at: now.at } : before, run, end);
    const zoom = !followed && before?.bounds === bounds ? before.zoom : null;
    const arrangement = before?.arrangement;
    this.modes[place] = { run, at: resume.at, end, bounds, zoom, arrangement };
    return { ...resume, followed, zoom, arrangement, ranAgain: Boolean(known && resume.another) };
  }

  // Where a session was lost, the next one begins with the address of what is shown: no link is opened.
  begunAgain({ session, place, run }) {
    return session !== this.session && this.modes[place]?.run === run;
  }

  // A run that has just been forked is shown at the step that is done differently.
  justForked({ place, fork }, last) {
    const seen = this.modes[place];
    const now = seen && fork && last.place === place && fork !== last.fork;
    return now ? { ...seen, at: fork, end: NaN } : undefined; // nobody has been at its end
  }

  // After the end of one mode, the end of another one of the lab is shown, too.
  endedBeside(place, lastPlace) {
    const seen = this.modes[lastPlace];
    const lab = (/** @type {string} */ name) => name.split(", ")[0];
    const ended = seen?.at > 0 && seen.at === seen.end;
    return ended && lab(lastPlace) === lab(place) ? seen : undefined;
  }

  /** @param {string} place @param {number} at the step that is shown now */
  setStep(place, at) {
    this.modes[place].at = at;
  }

  /**
   * Keep the zoom and the open views of a mode that is left.
   * @param {string | undefined} place
   * @param {any} zoom
   * @param {any} arrangement
   */
  leave(place, zoom, arrangement) {
    if (!place) return;
    this.modes[place].zoom = zoom;
    this.modes[place].arrangement = arrangement;
  }
}
