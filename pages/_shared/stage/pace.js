// How fast a run is played, which steps are shown, and where the ticks of its events are.

const LONGEST_WAIT = 1500; // milliseconds at speed 1
const SHORTEST_WAIT = 40; // milliseconds at any speed, since the eye does not follow more
export const UNFLASHING_WAIT = 1000 / 6; // two changes are a flash, and three flashes a second are allowed
const FIRST_WAIT = 600; // milliseconds of a long run's first step, at speed 1
const WHOLE_RUN = 12000; // milliseconds for a run of any length, at speed 1
const GLIDE = 250; // milliseconds in which a picture turns into the next one
const SHORTEST_GLIDE = 80; // below this, frames follow each other like a film anyway
const FASTEST_GLIDE = 2; // at a higher speed pictures jump
const MOST_STOPS = 100; // with at most this many events, playing skips none of them
const MOST_TICKS = 200;

/**
 * Return the pace at which a run is played after a step. A long run begins slowly, so that what one
 * step does is seen, and gathers speed steadily; when it is fast, it is played in strides. A lower
 * speed shortens the strides first.
 * @param {number} total steps of the run
 * @param {number} step
 * @param {number} speed 1 is the usual one
 * @param {boolean} [everyStep] no step is skipped, because a question may come before it
 * @param {boolean} [recolours] large parts of the picture may change their colour at a step
 * @returns {{stride: number, wait: number}} steps at a time, and milliseconds between two frames
 */
export function pace(total, step, speed, everyStep = false, recolours = false) {
  const shortest = recolours ? UNFLASHING_WAIT : SHORTEST_WAIT;
  const mean = Math.max(total / WHOLE_RUN, 1 / LONGEST_WAIT); // steps per millisecond
  const first = Math.min(mean, 1 / FIRST_WAIT);
  const last = 2 * mean - first;
  // At a steady acceleration, the square of the rate grows evenly with the steps.
  const rate = speed * Math.sqrt(first ** 2 + (last ** 2 - first ** 2) * (step / total));
  if (everyStep) return { stride: 1, wait: Math.max(shortest, 1 / rate) };
  const stride = 2 ** Math.max(0, Math.ceil(Math.log2(rate * shortest) - 1e-9));
  return { stride, wait: stride / rate };
}

/**
 * Return how long a picture may take to turn into the next one.
 * @param {number} wait milliseconds between two frames
 * @param {number} speed
 * @returns {number} milliseconds; 0: it jumps
 */
export function glide(wait, speed) {
  const time = Math.min(GLIDE, 0.8 * wait);
  return time < SHORTEST_GLIDE || speed > FASTEST_GLIDE ? 0 : time;
}

/**
 * Return the step that playing shows after a step: a multiple of the stride, which is a power of
 * two. So wherever playing begins, all users who play a run soon request the same frames.
 * @param {import("./run.js").Run} run
 * @param {number} step
 * @param {number} stride
 */
export function nextStep(run, step, stride) {
  const next = Math.min(run.end, (Math.floor(step / stride) + 1) * stride);
  const event = run.eventStep(step, 1);
  return event > step && stopsAt(run, event) ? Math.min(next, event) : next;
}

/**
 * Whether playing skips this step at no speed: it has an event, and there are few of them.
 * @param {import("./run.js").Run} run
 * @param {number} step
 */
export function stopsAt(run, step) {
  return run.event(step) !== null && run.steps.length <= MOST_STOPS;
}

/**
 * Return the ticks below the scrubber; ticks that would overlap are merged.
 * @param {import("./run.js").Run} run
 * @returns {{share: number, title: string}[]} shares of the scrubber's length
 */
export function ticks(run) {
  const found = new Map(); // by place
  run.steps.forEach((step, i) => {
    const share = run.end ? step / run.end : 0;
    const place = Math.round(share * (MOST_TICKS - 1));
    const tick = found.get(place);
    if (tick) tick.more++;
    else found.set(place, { share, more: 0, title: `${run.called(step)}: ${run.names[run.kinds[i]]}` });
  });
  return Array.from(found.values(), ({ share, title, more }) => ({
    share,
    title: more ? `${title}, and ${more} more` : title,
  }));
}
