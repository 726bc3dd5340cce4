// The way to what a room sees: the tab remembers which room it follows, and goes to the lab.

const link = /** @type {HTMLAnchorElement} */ (document.querySelector("a"));
try {
  sessionStorage.setItem("following", JSON.stringify({ code: link.dataset.room, on: true }));
} catch {
  // A browser that keeps nothing opens the lab, and stays there.
}
location.replace(link.href);
