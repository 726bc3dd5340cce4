// Another address of the app, opened without loading the page again.

/** @param {string} address from the root of the site */
export function goTo(address) {
  history.replaceState(history.state, "", address);
  dispatchEvent(new PopStateEvent("popstate", { state: history.state })); // Streamlit opens the address
}
