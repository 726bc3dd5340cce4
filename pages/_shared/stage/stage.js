// The stage: mounts player, plots and paint, and keeps them through reruns and page switches.

const memory = {}; // by lab: what to come back to
const shared = { tool: "look", label: 0, speed: "1" }; // in all labs alike

class Stage {
  constructor(root) {
    this.root = root;
    this.beside = [];
    this.theme = {};
    this.picture = new Plot(root.querySelector(".plot"));
    this.layer = new PointsLayer(this.picture, this.theme);
    this.player = new Player(root, (at) => this.show(at));
    const send = (what) => (value) => this.send(what, value);
    this.paint = new Paint(root, this.picture, this.layer, send("edits"));
    this.handles = new Handles(this.paint.picture, this.picture, this.theme, send("places"));
    const go = (at) => { this.player.pause(); this.player.go(at); };
    this.track = new Track(this.paint.picture, this.picture, this.theme, go);
    this.picture.onDrawn = () => { this.paint.redraw(); this.handles.draw(); this.track.draw(); };
    this.paint.setTool(shared.tool);
    this.paint.label = shared.label;
    this.player.speed.value = shared.speed;
    this.listeners = new AbortController();
    const { signal } = this.listeners;
    root.addEventListener("click", (event) => this.click(event), { signal });
    document.addEventListener("keydown", (event) => this.key(event), { signal });
  }

  // Python answers by an update. Without an answer the connection may be broken: send it again.
  send(what, value, patience = 5000) {
    clearTimeout(this.repeat);
    this.setStateValue(what, value);
    if (patience < 100000) this.repeat = setTimeout(() => this.send(what, value, 2 * patience), patience);
  }

  update({ data, setStateValue }) {
    clearTimeout(this.repeat);
    this.setStateValue = setStateValue;
    const run = this.payload === data.payload ? this.run : JSON.parse(data.payload);
    const fresh = run !== this.run;
    Object.assign(this, { payload: data.payload, run, lab: data.lab });
    const before = memory[data.lab] || { run: null, at: 0, zoom: null };
    const restarted = before.run !== null && before.run !== data.run;
    const playing = this.player.playing;
    const atEnd = before.at > 0 && before.at === before.end;
    const at = !restarted ? before.at : atEnd ? run.steps.length - 1 : 0;

    this.setTheme(data);
    if (before.bounds !== data.bounds) before.zoom = null;
    this.picture.zoom = before.zoom;
    this.picture.setFigure(run.views[0].figure, this.template, run.views[0].title);
    this.setBeside(run.views.slice(1));
    this.paint.setData(data.paint);
    this.handles.places = data.handles;
    memory[data.lab] = { run: data.run, at, end: run.steps.length - 1, bounds: data.bounds, zoom: before.zoom };
    if (restarted) this.notice(data.reason, atEnd && at > 0);
    this.root.classList.toggle("failed", Boolean(data.error));
    this.error = data.error;
    if (fresh || restarted) this.player.setRun(run, at);
    else this.player.go(this.player.at);
    if (data.links !== this.links && this.links !== undefined) this.root.scrollIntoView({ block: "center" });
    this.links = data.links;
    if (playing && restarted) { this.player.pause(); if (!atEnd) this.player.toggle(); }
  }

  // The plots take the theme's two templates; the points its colours.
  setTheme({ theme }) {
    const style = getComputedStyle(this.root);
    const [r, g, b] = rgb(style.getPropertyValue("--st-background-color"));
    const name = 0.3 * r + 0.6 * g + 0.1 * b > 128 ? "light" : "dark";
    this.template = theme.templates[name];
    const { layout } = this.template;
    Object.assign(this.theme, { name, palette: theme.palette, symbols: theme.symbols, labelled: theme.labelled,
      ink: layout.font.color, paper: layout.plot_bgcolor, muted: layout.xaxis.tickfont.color });
    this.root.dataset.theme = name;
  }

  setBeside(views) {
    const place = this.root.querySelector(".beside");
    while (this.beside.length > views.length) { const plot = this.beside.pop(); plot.destroy(); plot.div.parentNode.remove(); }
    views.forEach(({ title, figure }, i) => {
      if (!this.beside[i]) {
        const panel = place.appendChild(document.createElement("figure"));
        panel.append(document.createElement("figcaption"), document.createElement("div"));
        this.beside[i] = new Plot(panel.lastChild);
      }
      this.beside[i].div.previousSibling.textContent = title;
      this.beside[i].div.parentNode.style.flexGrow = figure.layout.meta?.height || ""; // its share, 1 unless said
      this.beside[i].setFigure(figure, this.template, title);
    });
  }

  notice(reason, atEnd) {
    const text = `${atEnd ? "Ran again, shown at its last step" : "Restarted"}: ${reason}.`;
    const notice = this.root.querySelector(".notice");
    notice.textContent = text;
    notice.classList.remove("shown");
    void notice.offsetWidth; // lets the animation start anew
    notice.classList.add("shown");
  }

  show(at) {
    const { run } = this;
    memory[this.lab].at = at;
    this.track.show(run.track, at);
    const words = this.error || run.captions[at] || "";
    const [first, ...rest] = words.split("\n");
    const caption = this.root.querySelector(".caption");
    const lead = document.createElement("strong");
    lead.textContent = first;
    caption.replaceChildren(lead, ...rest.flatMap((line) => [document.createElement("br"), line]));
    this.root.querySelector(".picture").setAttribute("aria-label", `${run.views[0].title}. ${first}`);
    return Promise.all([this.picture, ...this.beside].map((plot) => plot.show(at)));
  }

  do(action) {
    if (action === "undo" || action === "redo") this.paint.history(action);
    else if (action === "closer" || action === "farther") {
      this.paint.zoom(action === "closer" ? 0.6 : 1 / 0.6);
      memory[this.lab].zoom = this.picture.zoom;
    } else this.player.do(action);
  }

  click(event) {
    const button = event.target.closest("button");
    if (button?.dataset.do) this.do(button.dataset.do);
    if (button?.dataset.tool) this.paint.setTool((shared.tool = button.dataset.tool));
    shared.label = this.paint.label;
    shared.speed = this.player.speed.value;
  }

  key(event) {
    const { key, target } = event;
    const busy = "input:not(.scrub), textarea, select, [contenteditable], [role=slider], [role=combobox], [role=listbox], [role=menu], [role=tablist], [role=dialog], [data-baseweb=popover]";
    if (target.closest?.(busy) || (target.matches?.(".scrub") && /^(Arrow|Home|End)/.test(key))) return;
    const mod = event.ctrlKey || event.metaKey;
    if (mod && ["z", "y"].includes(key.toLowerCase())) {
      this.do(key.toLowerCase() === "y" || event.shiftKey ? "redo" : "undo");
      return event.preventDefault();
    }
    if (mod || event.altKey) return;
    const onButton = target.closest?.("button, a, summary, label");
    const player = { " ": onButton ? null : "play", ArrowRight: "step", ArrowLeft: "back", Home: "first", End: "last",
      "[": "previous event", "]": "next event", "+": "closer", "-": "farther" }[key];
    const tool = TOOL_KEYS[key.length === 1 ? key.toLowerCase() : key];
    if (player) this.do(player);
    else if (tool) this.paint.setTool((shared.tool = tool === "relabel" && !this.paint.classes ? "look" : tool));
    else if (/^[1-8]$/.test(key) && this.paint.classes) this.paint.setLabel((shared.label = key - 1));
    else return;
    event.preventDefault();
  }

  destroy() {
    clearTimeout(this.repeat);
    this.player.pause();
    this.paint.destroy();
    this.listeners.abort();
    for (const plot of [this.picture, ...this.beside]) plot.destroy();
  }
}

// The parts of a CSS colour.
function rgb(color) {
  const pen = document.createElement("canvas").getContext("2d");
  pen.fillStyle = color.trim();
  const hex = parseInt(pen.fillStyle.slice(1), 16);
  return [hex >> 16, (hex >> 8) & 255, hex & 255];
}

const stages = new WeakMap();

export default function (component) {
  const root = component.parentElement.querySelector(".stage");
  if (!stages.has(root)) stages.set(root, new Stage(root));
  stages.get(root).update(component);
  return () => stages.get(root).destroy();
}
