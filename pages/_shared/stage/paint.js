// Painting: tools on the picture. Points change here at once; Python hears once per stroke.

const SPACING = 14, SPRAY = 22, REACH = 14; // pixels: brush step, brush radius, reach of eraser and hand
const TOOL_KEYS = { a: "add", b: "brush", m: "move", e: "erase", l: "relabel", Escape: "look" };

class Paint {
  constructor(root, plot, layer, send) {
    Object.assign(this, { root, plot, layer, send, tool: "look", label: 0, points: [], pending: [], number: 0, byKey: true });
    this.page = Math.random().toString(36).slice(2);
    this.picture = root.querySelector(".picture");
    this.cross = root.querySelector(".cross");
    this.cursor = { x: 0.5, y: 0.5 }; // the keyboard's crosshair, as a share of the plot
    this.listeners = new AbortController();
    const on = (target, type, listener) => target.addEventListener(type, listener.bind(this), { signal: this.listeners.signal, passive: false });
    on(this.picture, "pointerdown", this.down);
    on(window, "pointermove", this.drag);
    on(window, "pointerup", this.up);
    on(window, "pointercancel", this.up);
    on(this.picture, "keydown", this.key);
    on(this.picture, "focus", this.showCross);
    on(this.picture, "blur", this.showCross);
  }

  // What Python knows: the points of the figure, and how far it got with what was sent.
  setData({ labels, classes, revision, done, undo, redo }) {
    this.fixed = this.plot.pointTrace < 0; // a picture without points is only looked at
    this.root.querySelector(".tools").hidden = this.fixed;
    const rows = this.plot.figure.data[this.plot.pointTrace] || {};
    const x = unpack(rows.x), y = unpack(rows.y), label = unpack(labels);
    if (revision !== this.revision) this.stroke = null; // other data: what was begun is void
    const last = done.page === this.page ? done.number : 0;
    this.pending = this.pending.filter((edit) => edit.number > last && edit.revision === revision);
    Object.assign(this, { revision, classes, undo, redo, limit: MOST_POINTS });
    this.points = Array.from(x, (_, row) => ({ x: x[row], y: y[row], label: label[row], row }));
    for (const edit of this.pending) this.apply(edit);
    if (this.stroke) this.applyStroke(); // a run may come back while the next stroke is painted
    if (this.fixed || (this.tool === "relabel" && !classes)) this.setTool("look");
    this.toolbar();
  }

  setTool(tool) {
    this.tool = this.fixed ? "look" : tool;
    this.picture.dataset.tool = this.tool;
    this.toolbar();
    this.showCross();
  }

  setLabel(label) { this.label = label; this.toolbar(); }

  toolbar() {
    for (const button of this.root.querySelectorAll("[data-tool]")) {
      button.setAttribute("aria-pressed", button.dataset.tool === this.tool);
      if (button.dataset.tool === "relabel") button.hidden = !this.classes;
    }
    const { palette, symbols } = this.layer.theme;
    const chips = this.root.querySelector(".classes");
    chips.hidden = !this.classes;
    const names = this.classes ? palette.map((_, i) => this.classes[i] || `new class ${i + 1}`) : [];
    const shown = JSON.stringify([names, this.label, this.layer.theme.name]);
    if (chips.shown !== shown) {
      chips.shown = shown;
      const focused = chips.contains(document.activeElement);
      chips.replaceChildren(...names.map((name, i) => {
        const chip = document.createElement("button");
        chip.setAttribute("role", "radio");
        chip.setAttribute("aria-checked", i === this.label);
        chip.title = `${name} (${i + 1})`;
        chip.setAttribute("aria-label", `Class ${i + 1}: ${name}`);
        chip.classList.toggle("unused", !this.classes[i]);
        chip.innerHTML = `<svg viewBox="-9 -9 18 18"><path d="${symbolPath(symbols[i], 5)}" fill="${palette[i]}"/></svg>`;
        chip.addEventListener("click", () => this.setLabel(i));
        return chip;
      }));
      if (focused) chips.children[this.label].focus();
    }
    this.root.querySelector('[data-do="undo"]').disabled = !this.undo;
    this.root.querySelector('[data-do="redo"]').disabled = !this.redo;
    this.root.querySelector(".count").textContent = `${this.points.length} point${this.points.length === 1 ? "" : "s"}`;
  }

  redraw() { this.layer.draw(this.points); }

  // Edits -------------------------------------------------------------------------------------

  edit(edit) {
    edit = { ...edit, number: ++this.number, revision: this.revision };
    this.pending.push(edit);
    this.undo ||= edit.op !== "undo";
    this.apply(edit);
    this.redraw();
    this.toolbar();
    this.send({ page: this.page, edits: this.pending });
  }

  apply(edit) {
    const chosen = new Set(edit.indices);
    if (edit.op === "add")
      for (const [x, y] of edit.points.slice(0, this.limit - this.points.length)) this.points.push({ x, y, label: edit.label, row: -1 });
    if (edit.op === "move") this.points[edit.index] = { ...this.points[edit.index], x: edit.to[0], y: edit.to[1] };
    if (edit.op === "erase") this.points = this.points.filter((_, i) => !chosen.has(i));
    if (edit.op === "relabel")
      this.points = this.points.map((point, i) => (chosen.has(i) ? { ...point, label: edit.label, relabelled: true } : point));
  }

  applyStroke() {
    for (const [x, y] of this.stroke.points) this.points.push({ x, y, label: this.label, row: -1 });
    if (this.stroke.to) this.apply({ op: "move", index: this.stroke.index, to: this.stroke.to });
  }

  // Undo and redo happen in Python; until they are seen, what the points are is not known here.
  get waiting() { return this.pending.some(({ op }) => op === "undo" || op === "redo"); }

  history(op) { if (!this.waiting && this[op]) this.edit({ op }); }

  // Pointer -----------------------------------------------------------------------------------

  // Indices of the points within some pixels of a place, the nearest first.
  near({ u, v }, pixels) {
    const { x, y, width, height } = this.plot.area();
    return this.points
      .map((point, i) => [i, Math.hypot(((point.x - x[0]) / (x[1] - x[0]) - u) * width, ((point.y - y[0]) / (y[1] - y[0]) - v) * height)])
      .filter(([, far]) => far <= pixels).sort((a, b) => a[1] - b[1]).map(([i]) => i);
  }

  down(event) {
    if (event.button !== 0 || !event.isPrimary || !this.plot.div._fullLayout) return;
    const at = this.plot.share(event);
    const inside = at.u >= 0 && at.u <= 1 && at.v >= 0 && at.v <= 1;
    if (!inside || event.target.closest(".handle")) return;
    const reach = event.pointerType === "touch" ? 1.6 * REACH : REACH;
    this.stroke = { tool: this.tool, at, from: at, points: [], indices: new Set(), reach };
    if (this.tool === "look") return (this.stroke.zoom = this.plot.zoom && { ...this.plot.area() });
    event.preventDefault();
    this.byKey = false;
    this.picture.focus({ preventScroll: true });
    this.showCross();
    if (this.waiting) return (this.stroke = null);
    if (this.tool === "add" || this.tool === "brush") this.drop(this.plot.toData(at));
    if (this.tool === "move") this.stroke.index = this.near(at, 1.5 * reach)[0];
    if (this.tool === "erase" || this.tool === "relabel") this.touch(at);
  }

  drag(event) {
    const stroke = this.stroke;
    if (!stroke) return;
    const at = this.plot.share(event);
    const { width, height } = this.plot.area();
    const far = Math.hypot((at.u - stroke.at.u) * width, (at.v - stroke.at.v) * height);
    if (stroke.zoom) return this.pan(at);
    if (stroke.tool === "brush" && far >= SPACING) {
      const angle = 2 * Math.PI * Math.random(), radius = SPRAY * Math.sqrt(Math.random());
      const sprayed = { u: at.u + (radius * Math.cos(angle)) / width, v: at.v + (radius * Math.sin(angle)) / height };
      this.drop(this.plot.toData(sprayed));
      stroke.at = at;
    }
    if (stroke.tool === "move" && stroke.index !== undefined) {
      stroke.to = this.plot.toData({ u: Math.min(1, Math.max(0, at.u)), v: Math.min(1, Math.max(0, at.v)) });
      this.apply({ op: "move", index: stroke.index, to: stroke.to });
      this.redraw();
    }
    if (stroke.tool === "erase" || stroke.tool === "relabel") { this.touch(at); stroke.at = at; }
  }

  up() {
    const stroke = this.stroke;
    this.stroke = null;
    if (!stroke) return;
    const indices = [...stroke.indices];
    if (stroke.points.length) {
      this.points.length -= stroke.points.length; // shown while painting; the edit adds them for good
      this.edit({ op: "add", points: stroke.points, label: this.label });
    }
    if (stroke.to) this.edit({ op: "move", index: stroke.index, to: stroke.to });
    if (indices.length && stroke.tool === "erase") this.edit({ op: "erase", indices });
    if (indices.length && stroke.tool === "relabel") this.edit({ op: "relabel", indices, label: this.label });
  }

  drop([x, y]) {
    if (this.points.length >= this.limit) return;
    this.stroke.points.push([x, y]);
    this.points.push({ x, y, label: this.label, row: -1 });
    this.redraw();
    this.toolbar();
  }

  touch(at) {
    for (const i of this.near(at, this.stroke.reach)) {
      this.stroke.indices.add(i);
      const node = this.layer.group.children[i];
      if (node) node.style.opacity = 0.25;
      if (node) setTimeout(() => (node.style.opacity = ""), 600);
    }
  }

  pan(at) {
    const { zoom, from } = this.stroke;
    const shift = (range, by) => range.map((end) => end - by * (range[1] - range[0]));
    this.plot.zoom = this.within({ x: shift(zoom.x, at.u - from.u), y: shift(zoom.y, at.v - from.v) });
    this.plot.show(this.plot.frame);
  }

  zoom(factor) {
    if (this.fixed) return;
    const { x, y } = this.plot.area();
    const scaled = ([low, high]) => [(low + high) / 2 - ((high - low) * factor) / 2, (low + high) / 2 + ((high - low) * factor) / 2];
    this.plot.zoom = this.within({ x: scaled(x), y: scaled(y) });
    this.plot.show(this.plot.frame);
  }

  // Never outside the plane that is filled; all of it is no zoom.
  within(zoom) {
    const { xaxis, yaxis } = this.plot.figure.layout;
    const fit = (range, all) => {
      const width = Math.min(range[1] - range[0], all[1] - all[0]);
      const low = Math.max(all[0], Math.min(all[1] - width, range[0]));
      return [low, low + width];
    };
    const x = fit(zoom.x, xaxis.range), y = fit(zoom.y, yaxis.range);
    return x[1] - x[0] > 0.999 * (xaxis.range[1] - xaxis.range[0]) ? null : { x, y };
  }

  // Keyboard: arrows move a crosshair, Enter does what a click does there. -----------------------

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || this.tool === "look" || event.target !== this.picture) return;
    this.byKey = true;
    const step = event.shiftKey ? 0.1 : 0.02;
    const [dx, dy] = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, step], ArrowDown: [0, -step] }[event.key] || [];
    if (dx !== undefined) {
      this.cursor = { x: Math.min(1, Math.max(0, this.cursor.x + dx)), y: Math.min(1, Math.max(0, this.cursor.y + dy)) };
      if (this.stroke) {
        const to = this.plot.toData({ u: this.cursor.x, v: this.cursor.y });
        this.stroke.to = to;
        this.apply({ op: "move", index: this.stroke.index, to });
        this.redraw();
      }
      this.showCross();
    } else if (event.key === "Enter" || event.key === " ") this.press();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  press() {
    const at = { u: this.cursor.x, v: this.cursor.y };
    if (this.stroke) return this.up(); // puts down the point that the arrows carried
    if (this.waiting) return;
    this.stroke = { tool: this.tool, at, points: [], indices: new Set(), reach: 1.5 * REACH };
    if (this.tool === "add" || this.tool === "brush") this.drop(this.plot.toData(at));
    if (this.tool === "erase" || this.tool === "relabel") this.touch(at);
    if (this.tool === "move") {
      this.stroke.index = this.near(at, 40)[0];
      if (this.stroke.index !== undefined) return;
    }
    this.up();
  }

  showCross() {
    const shown = this.tool !== "look" && this.byKey && document.activeElement === this.picture && this.plot.div._fullLayout;
    this.cross.hidden = !shown;
    if (!shown) return;
    const { left, top, width, height } = this.plot.area();
    const box = this.picture.getBoundingClientRect();
    this.cross.style.left = `${left - box.left + this.cursor.x * width}px`;
    this.cross.style.top = `${top - box.top + (1 - this.cursor.y) * height}px`;
  }

  destroy() { this.listeners.abort(); }
}
