// The settings that the user has chosen for all labs.

export class Settings {
  constructor() {
    this.tool = "look";
    this.label = 0; // the class that is drawn
    this.width = 24; // pixels: the radius of the brush, the spread of the spray
    this.density = 20; // points of a spray
    this.speed = "1";
    this.loop = false; // play again after the last step
    this.stops = false; // stop at events
    this.predict = false; // a question before every step
    this.large = false; // show the step number large
    this.single = kept("single keys") !== "off"; // whether letters, digits and signs are keys
  }

  /** Store the settings that should still hold at the next visit. */
  keep() {
    try {
      localStorage.setItem("single keys", this.single ? "on" : "off");
    } catch {
      // A page inside another site's frame may be refused storage.
    }
  }
}

/** @param {string} name */
function kept(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}
