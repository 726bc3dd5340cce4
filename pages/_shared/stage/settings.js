// What the user has chosen, in all labs alike.

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
    this.large = false; // the step number
    this.single = kept("single keys") !== "off"; // whether letters, digits and signs are keys
  }

  /** Keep what has to hold at the next visit, too. */
  keep() {
    try {
      localStorage.setItem("single keys", this.single ? "on" : "off");
    } catch {
      // A frame of another site may keep nothing.
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
