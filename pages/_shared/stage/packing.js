// Unpacks what Python sent: typed arrays, and figures of which only the differences were sent.

const ARRAYS = {
  f8: Float64Array,
  f4: Float32Array,
  i4: Int32Array,
  u1: Uint8Array,
};

const unpacked = new WeakMap(); // cached, because steps share most of their arrays

/**
 * Return the numbers of a typed array; none if there is no array.
 * @param {import("./protocol.js").Packed | undefined} packed
 */
export function unpack(packed) {
  if (!packed) return new Uint8Array();
  if (!unpacked.has(packed)) unpacked.set(packed, decode(packed));
  return unpacked.get(packed);
}

/** @param {import("./protocol.js").Packed} packed */
function decode({ dtype, bdata, gaps }) {
  const text = atob(bdata);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return gaps ? summed(bytes) : new ARRAYS[dtype](bytes.buffer);
}

/** Return ascending numbers from their differences; 255 says that the difference goes on. */
function summed(gaps) {
  const found = [];
  let at = 0;
  for (const gap of gaps) {
    at += gap;
    if (gap < 255) found.push(at);
  }
  return Int32Array.from(found);
}

/** Return a copy of `base` in which the attributes of `patch` replace its own, at any depth. */
export function merged(base, patch) {
  const result = { ...base };
  for (const [name, value] of Object.entries(patch)) {
    result[name] = isTree(value) && isTree(base[name]) ? merged(base[name], value) : value;
  }
  return result;
}

// Lists and typed arrays are replaced as a whole.
function isTree(value) {
  const list = Array.isArray(value) || value?.bdata !== undefined;
  return value !== null && typeof value === "object" && !list;
}

/**
 * Return a figure, from the figure of step 0 and the differences. Unchanged parts are the very same
 * objects, so that they need not be drawn again.
 * @param {import("./protocol.js").Figure} first
 * @param {object} patch
 */
export function patched(first, patch) {
  if (Object.keys(patch).length === 0) return first;
  const { data: changes, ...rest } = patch;
  const figure = merged(first, rest);
  if (changes) {
    figure.data = first.data.map((trace, i) => (changes[i] ? merged(trace, changes[i]) : trace));
  }
  return figure;
}
