// The stage: puts the parts together, and keeps them through reruns and page switches.

import { Address, fromShares, toShares } from "./address.js";
import { Beside } from "./beside.js";
import { Edits } from "./edits.js";
import { Feed } from "./feed.js";
import { Help } from "./help.js";
import { Keys } from "./keys.js";
import { Legend } from "./legend.js";
import { Live } from "./live.js";
import { unpack } from "./packing.js";
import { Panel } from "./panel.js";
import { Player, resumed } from "./player.js";
import { Post } from "./post.js";
import { Presenter } from "./present.js";
import { Quiz } from "./quiz.js";
import { Tips } from "./tips.js";
import { Toolbar } from "./toolbar.js";
import { Tools } from "./tools.js";

const ZOOM = 0.6; // what is left of the plane's width
const LARGER = 1.5; // type and strokes in presenter mode, as in stage.css
const memory = {}; // by lab and mode: what to come back to
// In all labs alike; `links`: how many have been opened.
const shared = { tool: "look", label: 0, width: 24, density: 20, speed: "1", loop: false, stops: false, predict: false, large: false, links: 0 };

class Stage {
  constructor(root) {
    this.root = root;
    this.theme = { scale: 1, grown: 1 };
    this.presenter = new Presenter(root);
    this.address = new Address(() => this.look);
    this.observer = new ResizeObserver(() => this.measure()); // before those of the plots
    this.observer.observe(root);
    this.post = new Post();
    this.feed = new Feed((window.chalkline ??= {}), () => this.player.arrived());
    this.player = new Player(root, this.feed, (step, at) => this.show(step, at), shared);
    this.beside = new Beside(root, this.theme, (...where) => this.panel(...where));
    const picture = root.querySelector(".picture");
    this.picture = this.panel(picture, picture.querySelector(".plot"));
    this.edits = new Edits(Math.random().toString(36).slice(2), MOST_POINTS);
    this.tools = new Tools(picture, this.picture.plot, this.edits, {
      changed: () => this.painted(),
      send: () => this.post.send("edits", this.edits.message),
      carry: (edit) => this.carry(edit),
    });
    this.tools.label = shared.label;
    this.toolbar = new Toolbar(root, this.theme, (label) => this.setLabel(label));
    this.tips = new Tips(picture, this.tools, () => this.classes);
    this.picture.painted = () => (this.tools.paintable ? this.tools.points : undefined);
    this.legend = new Legend(this.picture.plot, this.theme);
    this.picture.onPlaced = () => {
      this.tools.showCross();
      this.legend.draw(this.picture.painted());
    };
    this.player.speed.value = shared.speed;
    this.listeners = new AbortController();
    const { signal } = this.listeners;
    root.addEventListener("click", (event) => this.click(event), { signal });
    this.help = new Help(root, shared);
    this.help.dialog.addEventListener("change", () => this.showStepLarge(), { signal });
    this.showStepLarge();
    this.quiz = new Quiz(root, this.player, shared, () => this.panels);
    this.keys = new Keys((asked) => this.act(asked), () => this.quiz.asking);
    this.live = new Live(this.post);
    const keepSpeed = () => (shared.speed = this.player.speed.value);
    this.player.speed.addEventListener("change", keepSpeed, { signal });
    root.querySelectorAll(".width select").forEach((select, i) => {
      const name = ["width", "density"][i];
      select.value = this.tools[name] = shared[name];
      const keep = () => (shared[name] = this.tools[name] = +select.value);
      select.addEventListener("change", keep, { signal });
    });
  }

  panel(container, div) {
    const send = (moved) => {
      if (moved.moving) this.post.sendLatest("places", moved);
      else {
        this.post.forgetLatest();
        this.post.send("places", moved);
      }
    };
    return new Panel(container, div, this.theme, this.player, send);
  }

  get panels() {
    return [this.picture, ...this.beside.panels];
  }

  // The picture has the room below what stands above the stage; type has grown with the stage.
  measure() {
    const page = this.root.closest("[data-testid=stMain]") ?? document.documentElement;
    const above = this.root.getBoundingClientRect().top + page.scrollTop;
    this.root.style.setProperty("--above", `${Math.round(above)}px`);
    const style = getComputedStyle(this.root);
    const type = parseFloat(style.fontSize) / 16; // of its usual size
    const drawn = +style.getPropertyValue("--drawn");
    this.theme.scale = drawn * Math.max(1, Math.round(20 * type) / 20);
    this.theme.grown = this.presenter.on ? LARGER : 1;
  }

  /**
   * Python has answered a move.
   * @param {object} component Streamlit's
   * @param {import("./protocol.js").Stage} component.data
   * @param {(what: string, value: any) => void} component.setStateValue
   */
  update({ data, setStateValue }) {
    this.post.setStateValue = setStateValue;
    this.post.answered();
    this.remember();
    this.measure();
    const { place, run, bounds, error } = data;
    if (place !== this.place) this.address.page = place ? location.pathname : null;
    const known = memory[place];
    const before = this.forkedNow(data) ?? known ?? this.endedBeside(place);
    const fresh = this.feed.open(data.scene, data.opening);
    const { end } = this.feed.run;
    const followed = data.links !== shared.links;
    shared.links = data.links;
    const resume = resumed(followed ? { run, at: data.look.at } : before, run, end);
    const zoom = !followed && before?.bounds === bounds ? before.zoom : null;
    const arrangement = before?.arrangement;
    memory[place] = { run, at: resume.at, end, bounds, zoom, arrangement };
    Object.assign(this, { place, error });
    this.root.classList.toggle("failed", Boolean(error));
    this.setFork(data);

    this.setTheme(data);
    this.setViews(data.handles, zoom, arrangement);
    this.setPaint(data.paint);
    this.legend.setNames(data.legend, this.feed.run.views[0].first.points);
    if (followed) this.setLook(data.look);
    if (known && resume.another && data.reason) this.say(`Ran again: ${data.reason}`);
    this.goOn(fresh, followed, resume);
    this.quiz.setRun(run, data.quiz, followed);
    this.setTool(shared.tool); // draws the points, of the figure that is shown by now
    this.showToolbar();
    if (followed) this.root.closest("[data-testid=stMain]")?.scrollTo(0, 0);
  }

  // Who was at the end of one mode wants to see the end of another, too.
  endedBeside(place) {
    const last = memory[this.place];
    const lab = (name) => name.split(", ")[0];
    const ended = last?.at > 0 && last.at === last.end;
    return ended && lab(this.place) === lab(place) ? last : undefined;
  }

  // A run that has just been forked is shown at the step that is done otherwise.
  forkedNow({ place, fork }) {
    const last = memory[place];
    const now = last && fork && this.place === place && fork !== this.fork;
    return now ? { ...last, at: fork, end: NaN } : undefined; // nobody has been at its end
  }

  setFork({ forks, fork, carries }) {
    Object.assign(this, { forks, fork });
    this.tools.setCarrying(carries);
    const button = this.root.querySelector("[data-do=fork]");
    button.hidden = !forks;
    button.setAttribute("aria-pressed", String(Boolean(fork)));
  }

  // What is shown stays unless there is another run to show.
  goOn(fresh, followed, { at, another, atEnd }) {
    const { player } = this;
    if (followed || (player.playing && atEnd)) player.pause();
    if (fresh || followed || another) player.setRun(at);
    else player.refresh();
  }

  setPaint(paint) {
    const { points } = this.feed.run.views[0].first;
    this.classes = paint.classes;
    this.edits.confirm(paint, points);
    // A picture whose points are not those of the data is only looked at.
    const ours = unpack(points?.x).length === unpack(paint.labels).length;
    this.tools.setPaintable(Boolean(points) && ours, paint.revision);
    if (this.edits.queue.length) this.post.remind("edits", this.edits.message);
  }

  // The plots take the theme's two templates; the points its colours.
  setTheme({ theme, paint }) {
    const style = getComputedStyle(this.root);
    const name = isLight(style.getPropertyValue("--st-background-color")) ? "light" : "dark";
    if (name !== this.theme.name) this.template = theme.templates[name]; // the same object again
    const { layout } = this.template;
    Object.assign(this.theme, {
      name,
      palette: theme.palette,
      lighter: name === "dark" ? theme.lighter : undefined,
      symbols: theme.symbols,
      rim: theme.rim,
      labelled: paint.classes !== null,
      ink: layout.font.color,
      paper: layout.plot_bgcolor,
      muted: layout.xaxis.tickfont.color,
    });
    this.root.dataset.theme = name;
  }

  setViews(handles, zoom, arrangement) {
    const { views, equal } = this.feed.run;
    this.root.classList.toggle("equal", Boolean(equal));
    this.root.querySelector(".picture .name").textContent = views[0].title;
    this.beside.setViews(views.slice(1), arrangement);
    this.picture.plot.zoom = zoom;
    this.panels.forEach((panel, i) => {
      panel.plot.setLook(views[i].title, this.template);
      panel.setHandles(handles.filter(({ view }) => view === i));
    });
  }

  // A link wants a part of the picture, and presenter mode.
  setLook({ zoom, present }) {
    const { plot } = this.picture;
    plot.zoom = this.tools.paintable ? fromShares(zoom, this.whole) : null;
    if (present && !this.presenter.on) this.presenter.enter();
  }

  // All that the picture shows where nobody has zoomed.
  get whole() {
    const { xaxis, yaxis } = this.feed.run.views[0].first.layout;
    return { x: xaxis.range, y: yaxis.range };
  }

  // What is seen, for the address.
  get look() {
    const zoom = this.picture.plot.zoom && toShares(this.picture.plot.zoom, this.whole);
    return { at: this.player.at, zoom, present: this.presenter.on };
  }

  say(what) {
    const notice = this.root.querySelector(".notice");
    notice.textContent = `${what}.`;
    notice.classList.remove("shown");
    void notice.offsetWidth; // lets the animation start anew
    notice.classList.add("shown");
  }

  // Draw a step that is held: picture and caption are of the same one.
  show(step, at) {
    const { run } = this.feed;
    memory[this.place].at = at;
    this.caption(this.error || run.caption(step));
    this.quiz.shown(step, at);
    const drawn = this.panels.map((panel, i) => panel.show(run.views[i], run.figure(i, step), at));
    return Promise.all(drawn);
  }

  // The same words are left alone: they may just be read out, or copied.
  caption(words) {
    const [first, ...rest] = words.replaceAll(" %", "\u00a0%").split("\n");
    const label = `${this.feed.run.views[0].title}. ${first}`;
    this.root.querySelector(".picture").setAttribute("aria-label", label);
    if (words === this.words) return;
    this.words = words;
    const strong = document.createElement("strong");
    strong.textContent = first;
    const below = rest.flatMap((line) => [document.createElement("br"), line]);
    this.root.querySelector(".caption").replaceChildren(strong, ...below);
  }

  // The points have been painted on.
  painted() {
    this.picture.redraw();
    this.legend.draw(this.picture.painted());
    this.showToolbar();
  }

  showToolbar() {
    const { tool, label, paintable, points } = this.tools;
    const { undo, redo } = this.edits;
    const { classes } = this;
    this.toolbar.show({ paintable, tool, label, classes, undo, redo, count: points.length });
  }

  chooseTool(tool) {
    if (!this.tools.paintable) return;
    shared.tool = tool;
    this.setTool(tool);
  }

  setTool(tool) {
    const possible = this.tools.paintable && (tool !== "relabel" || this.classes);
    const wanted = possible ? tool : "look";
    if (this.tools.tool !== wanted) this.tools.setTool(wanted);
  }

  setLabel(label) {
    shared.label = this.tools.label = label;
    this.showToolbar();
  }

  do(action) {
    if (this.quiz.takes(action)) return;
    if (action === "undo" || action === "redo") this.history(action);
    else if (action === "closer") this.zoom(ZOOM);
    else if (action === "farther") this.zoom(1 / ZOOM);
    else if (action === "help") this.help.open();
    else if (action === "fork") this.askFork();
    else if (action === "present") this.presenter.toggle();
    else if (action === "controls") this.presenter.fold();
    else if (action === "large step") this.setPlaying("large", "Large step number");
    else if (action === "loop") this.setPlaying("loop", "Playing in a loop");
    else if (action === "stop at events") this.setPlaying("stops", "Stopping at events");
    else this.player.do(action);
  }

  // Have the next step done otherwise, or all as it was: Python knows which.
  askFork() {
    if (!this.forks) return;
    this.player.pause();
    this.asked = (this.asked ?? 0) + 1;
    this.post.send("fork", { step: this.player.at, number: this.asked });
  }

  // A point is elsewhere from the step on that is done otherwise: before it, nothing would be seen.
  carry({ index, to }) {
    if (this.player.at < this.fork) this.player.goByHand(this.fork);
    this.asked = (this.asked ?? 0) + 1;
    this.post.send("carried", { index, to, number: this.asked });
  }

  setPlaying(name, what) {
    shared[name] = !shared[name];
    this.help.show();
    this.showStepLarge();
    this.say(`${what}: ${shared[name] ? "on" : "off"}`);
  }

  showStepLarge() {
    this.root.classList.toggle("large-step", shared.large);
  }

  history(op) {
    if (!this.edits[op]) return;
    this.edits.add({ op });
    this.painted();
    this.post.send("edits", this.edits.message);
  }

  zoom(factor) {
    if (this.tools.paintable && this.picture.plot.ready) this.picture.plot.zoomBy(factor);
  }

  click(event) {
    const button = event.target.closest("button");
    if (button?.dataset.do) this.do(button.dataset.do);
    if (button?.dataset.tool) this.chooseTool(button.dataset.tool);
  }

  act(asked) {
    if (asked.do) this.do(asked.do);
    else if ("answer" in asked) this.quiz.answer(asked.answer);
    else if (asked.tool) {
      if (asked.tool === "look") this.presenter.leave();
      this.chooseTool(asked.tool);
    }
    else if (this.classes) this.setLabel(asked.label);
    else return false;
    return true;
  }

  remember() {
    if (!this.place) return;
    memory[this.place].zoom = this.picture.plot.zoom;
    memory[this.place].arrangement = this.beside.arrangement;
  }

  destroy() {
    this.remember();
    this.post.answered();
    this.listeners.abort();
    this.address.destroy();
    this.presenter.destroy();
    this.feed.close();
    this.player.destroy();
    this.keys.destroy();
    this.live.destroy();
    this.tools.destroy();
    this.tips.destroy();
    this.observer.disconnect();
    this.beside.destroy();
    this.picture.destroy();
  }
}

// Whether a CSS colour is a light one.
function isLight(color) {
  const pen = document.createElement("canvas").getContext("2d");
  pen.fillStyle = color.trim();
  const hex = parseInt(pen.fillStyle.slice(1), 16);
  const [r, g, b] = [hex >> 16, (hex >> 8) & 255, hex & 255];
  return 0.3 * r + 0.6 * g + 0.1 * b > 128;
}

const stages = new WeakMap();

/** To be called at every rerun; what it returns, when the stage leaves the page. */
export function mountStage(component) {
  const root = component.parentElement.querySelector(".stage");
  const stage = stages.get(root) ?? new Stage(root);
  stages.set(root, stage);
  stage.update(component);
  const turn = (stage.turn = (stage.turn ?? 0) + 1);
  return () => {
    if (stage.turn !== turn) return; // a later update has the right to end it
    stage.destroy();
    stages.delete(root);
  };
}
