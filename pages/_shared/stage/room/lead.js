// Follow me: while it is switched on, the wall sends the room its own address whenever that changes,
// and the pages that follow go there.

import { part } from "./bars.js";

const LOOK_EVERY = 250; // milliseconds between two looks at the address
const OWN = ["present", "embed", "embed_options"]; // these are about the teacher's screen
const ABSENT = /^too-many-(\d+)$/; // points that are not in the address; see data/link.py

/**
 * Return where others are led: a lab with its parameters, and how many of its points do not fit.
 * @param {{pathname: string, search: string}} location
 */
export function ledTo({ pathname, search }) {
  const fields = new URLSearchParams(search);
  for (const name of OWN) fields.delete(name);
  const [, absent = "0"] = fields.get("points")?.match(ABSENT) ?? [];
  if (+absent) fields.delete("points");
  fields.set("step", fields.get("step") ?? "0"); // an address without fields would change nothing
  return { address: `${pathname.split("/").at(-1)}?${fields}`, absent: +absent };
}

/** Say what those who follow miss. @param {boolean} on @param {number} absent points */
export function missedInWords(on, absent) {
  return on && absent ? `Those who follow see other points: your ${absent} are too many for a link. Give out the file, or use fewer.` : "";
}

export class Lead {
  /**
   * @param {Element} actions the room's buttons
   * @param {(said: object) => boolean | undefined} send
   */
  constructor(actions, send) {
    this.send = send;
    this.on = false;
    this.turning = false; // the room has not heard yet that this was switched
    this.sent = "";
    this.button = part("button", "", "Follow me");
    this.button.title = "Laptops that have joined the room show this lab, its parameters, points and step";
    this.button.onclick = () => this.turn();
    this.said = part("p", "room-led");
    this.said.setAttribute("role", "status");
    actions.before(this.button); // in the line that says what the room does
    actions.after(this.said);
    /** @type {any} */
    this.timer = 0;
  }

  turn() {
    this.sent = "";
    this.turning = true;
    this.setOn(!this.on);
    if (this.on) this.lead();
    else this.send({ do: "lead", address: null });
  }

  /** @param {any} told the state of the room */
  heard({ leads, followers }) {
    if (leads === this.on) this.turning = false;
    else if (!this.turning) this.setOn(leads);
    this.button.textContent = this.on ? `Follow me (${followers})` : "Follow me";
    const said = missedInWords(this.on, ledTo(location).absent);
    if (said !== this.said.textContent) this.said.textContent = said;
  }

  /** @param {boolean} on */
  setOn(on) {
    this.on = on;
    this.button.setAttribute("aria-pressed", String(on));
    clearInterval(this.timer);
    if (on) this.timer = setInterval(() => this.lead(), LOOK_EVERY);
  }

  lead() {
    const place = ledTo(location);
    const text = JSON.stringify(place);
    if (text !== this.sent && this.send({ do: "lead", ...place })) this.sent = text;
  }

  /** The room is left: nobody is led on. */
  end() {
    if (this.on) this.send({ do: "lead", address: null });
    this.sent = "";
    this.turning = false;
    this.heard({ leads: false, followers: 0 });
  }

  destroy() {
    clearInterval(this.timer);
  }
}
