// What the tests are made of.

/** Typed arrays as Python packs them. */
export function packed(dtype, numbers) {
  const arrays = { f8: Float64Array, f4: Float32Array, i4: Int32Array, u1: Uint8Array };
  const bytes = new Uint8Array(new arrays[dtype](numbers).buffer);
  return { dtype, bdata: btoa(String.fromCharCode(...bytes)) };
}

/** The answer to a move: a run of so many steps, of which some are there. */
export function opening(total, steps, events = {}) {
  const names = [...new Set(Object.values(events))];
  return {
    total,
    unit: "step",
    first: 0,
    names,
    steps: packed("i4", Object.keys(events).map(Number)),
    kinds: packed("u1", Object.values(events).map((name) => names.indexOf(name))),
    drawing: null,
    views: [{ title: "The data", height: 1, first: { data: [], layout: {} }, track: null, board: true }],
    frames: frames(steps),
  };
}

export function frames(steps) {
  return Object.fromEntries(steps.map((step) => [step, frame(step)]));
}

export function frame(step) {
  return { caption: `step ${step}`, views: [step ? { layout: { now: step } } : {}] };
}
