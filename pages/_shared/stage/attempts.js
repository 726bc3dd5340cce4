// The answers of a quiz outlive a reload of the page: the tab keeps them, and nobody else has them.

const NAME = "quiz ";

/**
 * @typedef {object} Attempt
 * @property {number} began milliseconds since 1970
 * @property {import("./quiz_state.js").Given[]} answers
 */

/** @param {string} key of the quiz @param {Attempt} attempt */
export function keepAttempt(key, attempt) {
  try {
    sessionStorage.setItem(NAME + key, JSON.stringify(attempt));
  } catch {
    // A frame of another site may keep nothing.
  }
}

/** What was kept of a quiz, or a new attempt. @param {string} key @returns {Attempt} */
export function keptAttempt(key) {
  try {
    const text = sessionStorage.getItem(NAME + key);
    if (text) return JSON.parse(text);
  } catch {
    // The same.
  }
  return { began: Date.now(), answers: [] };
}

/** @param {string} key */
export function forgetAttempt(key) {
  try {
    sessionStorage.removeItem(NAME + key);
  } catch {
    // The same.
  }
}
