// The phones' page: one connection to a room, and what it shows of each state.

import { Wire, drawn, socketOf } from "../stage/room/wire.js";
import { Ballot } from "./ballot.js";
import { Desk } from "./desk.js";
import { leftInWords, reason, said, scoreInWords, voteOf } from "./screen.js";

const AT = location.pathname.match(/^(.*\/room)(?:\/([^/]*))?\/?$/) ?? ["", "/room", ""];
const CODE = decodeURIComponent(AT[2] ?? "").toUpperCase();
const ROOM = `${location.origin}${AT[1]}/${CODE}`;
const KEPT = `chalkline room ${CODE}`;

const at = (/** @type {string} */ id) => /** @type {any} */ (document.getElementById(id));

// The number is this phone's for this room; a browser that keeps nothing has it until a reload.
function number() {
  const fresh = drawn();
  try {
    const kept = localStorage.getItem(KEPT) ?? fresh;
    for (const other of Object.keys(localStorage)) if (other.startsWith("chalkline room ")) localStorage.removeItem(other);
    localStorage.setItem(KEPT, kept);
    return kept;
  } catch {
    return fresh;
  }
}

class Phone {
  constructor() {
    this.secret = location.hash.slice(1); // the teacher's phone has one
    this.me = number();
    /** @type {any} */
    this.told = null;
    /** @type {{number: number, round: number, vote: any} | null} */
    this.unsent = null; // an answer that the server does not have yet
    this.ends = 0; // when the vote closes, on this phone's clock
    this.asked = 0; // the question on the page
    this.ballot = new Ballot(at("ballot"), at("area"), (answer) => this.choose(answer));
    this.desk = this.secret ? new Desk(at("desk"), (message) => this.wire.send(message)) : null;
    const hello = () => (this.secret ? { secret: this.secret } : { join: this.me });
    this.wire = new Wire(socketOf(ROOM, this.secret ? "teacher" : "phone"), hello, {
      heard: (told) => this.heard(told),
      turned: (connected) => this.turned(connected),
      refused: (why) => this.refused(why),
    });
    at("code").textContent = `Room ${CODE}`;
    at("lead").querySelector("a").href = `${ROOM}/follow`;
    setInterval(() => this.tick(), 250);
  }

  /** @param {any} told */
  heard(told) {
    this.told = this.desk ? { room: told, mine: { votes: [null, null], left: told.left } } : told;
    const { room, mine } = this.told;
    document.documentElement.dataset.look = room.look;
    this.ends = mine.left === null ? 0 : performance.now() + mine.left;
    this.repeat();
    this.show();
  }

  // An answer that was chosen without a connection is sent as soon as there is one.
  repeat() {
    const { unsent, told: { room } } = this;
    if (!unsent) return;
    const open = room.number === unsent.number && room.round === unsent.round && room.phase.startsWith("asking");
    const known = JSON.stringify(voteOf(this.told)) === JSON.stringify(unsent.vote);
    if (known || !open) this.unsent = null;
    else if (!unsent.sent) unsent.sent = this.wire.send({ vote: unsent.vote, number: unsent.number });
  }

  show() {
    const { room, mine } = this.told;
    const { question, phase } = room;
    at("asked").hidden = !question;
    if (question && this.asked !== room.number) this.ask(room);
    if (question) this.ballot.show(this.unsent ? this.unsent.vote : voteOf(this.told), phase.startsWith("asking") && !this.desk, room.revealed?.best);
    this.desk?.show(room);
    const { text, look } = this.desk ? { text: this.desk.words(room) } : said(this.told);
    this.say(text, look);
    at("why").textContent = phase === "revealed" ? (room.revealed?.reason ?? "") : "";
    at("score").textContent = scoreInWords(mine);
    at("lead").hidden = !room.leads;
    this.tick();
  }

  /** @param {any} room */
  ask({ question, number: asked }) {
    this.asked = asked;
    at("question").textContent = question.text;
    at("frame").hidden = !question.picture;
    const picture = at("picture");
    picture.alt = question.alt;
    if (question.picture) picture.src = `${ROOM}/picture/${asked}`;
    else picture.removeAttribute("src");
    const [left, top, width, height] = question.area.map((/** @type {number} */ share) => `${100 * share}%`);
    Object.assign(at("area").style, { left, top, width, height });
    this.ballot.ask(question);
    at("ballot").hidden = Boolean(this.desk);
    window.scrollTo(0, 0);
  }

  /** @param {any} vote */
  choose(vote) {
    const { number: asked, round } = this.told.room;
    this.unsent = { vote, number: asked, round };
    this.unsent.sent = this.wire.send({ vote, number: asked });
    if (!this.unsent.sent) this.turned(false);
  }

  /** @param {boolean} connected */
  turned(connected) {
    if (this.unsent) this.unsent.sent = false;
    if (!connected) this.say(`No connection. ${this.unsent ? "Your answer is sent as soon as it is back." : "This page comes back by itself."}`);
  }

  /** @param {string} why */
  refused(why) {
    this.say(reason(why));
    at("asked").hidden = true;
    at("door").hidden = !["wrong", "over"].includes(why);
  }

  tick() {
    const left = at("left");
    left.hidden = !this.ends;
    if (!this.ends) return;
    const milliseconds = this.ends - performance.now();
    left.textContent = leftInWords(milliseconds);
    if (milliseconds <= 0) this.ballot.finish();
  }

  /** @param {string} text @param {"right" | "wrong"} [look] */
  say(text, look) {
    const node = at("said");
    if (node.textContent !== text) node.textContent = text; // the same sentence is not read again
    node.className = look ?? "";
  }
}

at("door").onsubmit = (/** @type {Event} */ event) => {
  event.preventDefault();
  location.assign(`${AT[1]}/${encodeURIComponent(at("letters").value.trim().toUpperCase())}`);
};
document.documentElement.dataset.look = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
if (CODE) new Phone();
else at("door").hidden = false;
