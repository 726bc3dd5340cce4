// What is restored in every mode of every lab: the step, the zoom, the open views.

/**
 * What was seen of a mode.
 * @typedef {object} Seen
 * @property {string} run key of the run
 * @property {number} at the step
 * @property {number} end the last step
 * @property {string} bounds of the plane
 * @property {{x: number[], y: number[]} | null} zoom
 * @property {object} [arrangement] of the views beside the picture
 * @property {boolean} [untouched] it is still at the step at which it opened
 */

/**
 * Python's answer to a move.
 * @typedef {object} Answer
 * @property {string} place the lab and its mode
 * @property {string} run
 * @property {string} bounds
 * @property {number} fork the changed step; 0: none
 * @property {boolean} [grows] answers make the run longer: a new one is shown at its end
 * @property {number} end the last step of the run
 * @property {string} session the session that answers
 * @property {number} links how many links this session has opened
 * @property {number} at the step that the last link asks for
 * @property {number} [opens] the step to show where nothing was shown before
 */

/**
 * Return the step to show after a move: the same step if the new run has it. A run that was shown
 * at its end, or that grows, is followed by one at its end.
 * @param {{run: string, at: number, end?: number} | undefined} before what was shown of the lab
 * @param {string} run key of the run that is shown now
 * @param {number} end its last step
 * @param {boolean} grows
 * @param {number} opens the step to show if nothing was shown before
 * @returns {{at: number, another: boolean, atEnd: boolean}}
 */
export function resumed(before, run, end, grows = false, opens = 0) {
  const another = before !== undefined && before.run !== run;
  const atEnd = another && (grows || (before.at > 0 && before.at === before.end));
  return { at: atEnd ? end : Math.min(before?.at ?? opens, end), another, atEnd };
}

/** @param {string} place */
const labOf = (place) => place.split(", ")[0];

export class Memory {
  constructor() {
    /** @type {Record<string, Seen>} by lab and mode */
    this.modes = {};
    this.lab = ""; // that was shown last
    this.session = ""; // that has answered last
    this.links = 0; // that it has opened
  }

  /**
   * Return what to show, and remember that it is shown from now on.
   * @param {Answer} now
   * @param {{place?: string, fork?: number}} last what the stage has shown until now
   */
  resume(now, last) {
    const { place, run, bounds, end, grows, opens } = now;
    const followed = now.links !== this.links && !this.begunAgain(now);
    const fromTop = followed || labOf(place) !== this.lab;
    this.lab = labOf(place);
    this.session = now.session;
    this.links = now.links;
    const known = this.modes[place];
    const before = this.justForked(now, last) ?? known;
    const resume = resumed(followed ? { run, at: now.at } : before, run, end, grows, opens);
    const zoom = !followed && before?.bounds === bounds ? before.zoom : null;
    const arrangement = before?.arrangement;
    const anew = followed || !known;
    const untouched = anew ? resume.at === Math.min(opens ?? 0, end) : before === known && known.untouched;
    this.modes[place] = { run, at: resume.at, end, bounds, zoom, arrangement, untouched };
    return { ...resume, followed, fromTop, zoom, arrangement, ranAgain: Boolean(known && resume.another) };
  }

  // If a session was lost, the next one begins with the address of what is shown. This is no new
  // link.
  begunAgain({ session, place, run }) {
    return session !== this.session && this.modes[place]?.run === run;
  }

  // A run that has just been forked is shown at its changed step.
  justForked({ place, fork }, last) {
    const seen = this.modes[place];
    const now = seen && fork && last.place === place && fork !== last.fork;
    // so that it is not taken for a run that is shown at its end
    return now ? { ...seen, at: fork, end: NaN } : undefined;
  }

  /** @param {string} place @param {number} at the step that is shown now */
  setStep(place, at) {
    const seen = this.modes[place];
    if (at !== seen.at) seen.untouched = false;
    seen.at = at;
  }

  /** Return whether a mode is still at the step at which it opened. @param {string} place */
  untouched(place) {
    return Boolean(this.modes[place]?.untouched);
  }

  /**
   * Remember the zoom and the open views when the user leaves a mode.
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
