// What a tab remembers until it is closed: it survives a reload.

/** @param {string} name @param {any} value null: forget it */
export function remember(name, value) {
  try {
    if (value) sessionStorage.setItem(name, JSON.stringify(value));
    else sessionStorage.removeItem(name);
  } catch {
    // A page inside another site's frame may be refused storage.
  }
}

/** Return what was remembered, or null. @param {string} name */
export function recalled(name) {
  try {
    return JSON.parse(sessionStorage.getItem(name) ?? "null");
  } catch {
    return null;
  }
}
