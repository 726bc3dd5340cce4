// Painted edits that Python has not carried out yet. They are shown at once and sent repeatedly
// until Python confirms them. Undo and redo wait in the same queue as strokes.

import { unpack } from "./packing.js";

/**
 * A point as it is drawn while the user paints. `row` is its row among the points of the figure, -1
 * for a new point. `moved` and `relabelled`: the figure still shows the old place or class.
 * @typedef {{x: number, y: number, label: number, row: number, moved?: boolean,
 *   relabelled?: boolean}} Point
 */

/**
 * Return the points after one stroke.
 * @param {Point[]} points
 * @param {object} edit see pages/_shared/data/edits.py
 * @param {number} limit how many points there may be
 * @returns {Point[]}
 */
export function edited(points, edit, limit) {
  const chosen = new Set(edit.indices);
  switch (edit.op) {
    case "add": {
      const room = Math.max(0, limit - points.length);
      const added = edit.points.slice(0, room);
      return [...points, ...added.map(([x, y]) => ({ x, y, label: edit.label, row: -1 }))];
    }
    case "move": {
      const [x, y] = edit.to;
      return points.map((point, i) => (i === edit.index ? { ...point, x, y, moved: true } : point));
    }
    case "erase":
      return points.filter((_, i) => !chosen.has(i));
    case "relabel": {
      const look = { label: edit.label, relabelled: true };
      return points.map((point, i) => (chosen.has(i) ? { ...point, ...look } : point));
    }
    default:
      return points;
  }
}

/**
 * Carry out a queue of edits. Undo takes back the edits of the queue itself; what Python undoes
 * beyond them is not known here.
 * @param {Point[]} points as Python has them
 * @param {object[]} queue
 * @param {number} limit
 * @returns {{points: Point[], known: boolean, undo: boolean, redo: boolean}} `known`: whether these
 *   are the points that Python will have; whether the queue has something to undo or to redo
 */
export function replayed(points, queue, limit) {
  const past = [];
  const future = [];
  let known = true;
  for (const edit of queue) {
    const [from, to] = edit.op === "redo" ? [future, past] : [past, future];
    if (edit.op !== "undo" && edit.op !== "redo") {
      past.push(points);
      future.length = 0;
      points = edited(points, edit, limit);
    } else if (from.length) {
      to.push(points);
      points = from.pop();
    } else known = false;
  }
  return { points, known, undo: past.length > 0, redo: future.length > 0 };
}

export class Edits {
  /**
   * @param {string} page a token of this browser page: Python counts its edits
   * @param {number} limit how many points there may be
   */
  constructor(page, limit) {
    this.page = page;
    this.limit = limit;
    this.number = 0;
    this.base = [];
    this.queue = [];
    this.revision = -1;
    this.canUndo = this.canRedo = false;
    /** @type {Point[]} */
    this.points = [];
    this.known = true; // whether Python has the same points at these indices
    this.undo = this.redo = false; // whether undo and redo are possible
    this.replay();
  }

  /**
   * Take Python's answer: how many edits it has carried out, and the points after them.
   * @param {import("./protocol.js").Paint} paint
   * @param {import("./protocol.js").Points | undefined} points
   */
  confirm({ labels, revision, done, undo, redo }, points) {
    const label = unpack(labels);
    const [x, y] = [unpack(points?.x), unpack(points?.y)];
    const last = done.page === this.page ? done.number : 0;
    this.base = Array.from(x, (_, row) => ({ x: x[row], y: y[row], label: label[row], row }));
    this.queue = this.queue.filter((edit) => edit.number > last && edit.revision === revision);
    this.revision = revision;
    [this.canUndo, this.canRedo] = [undo, redo];
    this.replay();
  }

  /** Carry out a stroke, an undo or a redo at once; Python follows. */
  add(edit) {
    this.queue.push({ ...edit, number: ++this.number, revision: this.revision });
    this.replay();
  }

  replay() {
    const { points, known, undo, redo } = replayed(this.base, this.queue, this.limit);
    const last = this.queue.findLast(({ op }) => op !== "redo");
    this.points = points;
    this.known = known;
    this.undo = undo || this.canUndo;
    // A stroke empties the list of edits to redo; every undo can be redone.
    this.redo = redo || (last ? last.op === "undo" : this.canRedo);
  }

  /** Return all edits that Python has not carried out yet, as a message. @returns {import("./protocol.js").Edits} */
  get message() {
    return { page: this.page, edits: this.queue };
  }
}
