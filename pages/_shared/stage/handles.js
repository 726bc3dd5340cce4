// Handles: places on the plane that the user drags, such as the first centres.

class Handles {
  constructor(picture, plot, theme, send) {
    Object.assign(this, { picture, plot, theme, send, places: [], nodes: [] });
  }

  draw() {
    const { width, height, left, top } = this.plot.area();
    const box = this.picture.getBoundingClientRect();
    while (this.nodes.length > this.places.length) this.nodes.pop().remove();
    this.places.forEach((place, i) => {
      const handle = (this.nodes[i] ||= this.create(i));
      const { u, v } = this.plot.toShare(place);
      handle.hidden = Math.max(-u, -v, u - 1, v - 1) > 0.001; // outside of what the zoom shows
      handle.style.left = `${left - box.left + u * width}px`;
      handle.style.top = `${top - box.top + (1 - v) * height}px`;
      this.look(handle, i);
    });
  }

  look(handle, i) {
    handle.style.setProperty("--color", this.theme.palette[i % this.theme.palette.length]);
    handle.textContent = i + 1;
    handle.setAttribute("aria-label", `Place ${i + 1}: drag it, or move it with the arrow keys`);
  }

  // Python hears when a handle is let go.
  put(i, { u, v }, letGo) {
    const inside = (share) => Math.min(1, Math.max(0, share));
    this.places[i] = this.plot.toData({ u: inside(u), v: inside(v) });
    this.draw();
    if (letGo) this.send(this.places);
  }

  // Whether the key was one of a handle's.
  key(i, { key, shiftKey }) {
    const step = shiftKey ? 0.1 : 0.02;
    const by = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, step], ArrowDown: [0, -step] }[key];
    if (!by) return false;
    const { u, v } = this.plot.toShare(this.places[i]);
    this.put(i, { u: u + by[0], v: v + by[1] }, true);
    return true;
  }

  create(i) {
    const handle = document.createElement("button");
    handle.className = "handle";
    handle.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      handle.focus();
      handle.setPointerCapture(event.pointerId);
      handle.onpointermove = (move) => this.put(i, this.plot.share(move), false);
      handle.onpointerup = (up) => {
        handle.onpointermove = handle.onpointerup = null;
        this.put(i, this.plot.share(up), true);
      };
    });
    handle.addEventListener("keydown", (event) => {
      if (!this.key(i, event)) return;
      event.preventDefault();
      event.stopPropagation();
    });
    return this.picture.appendChild(handle);
  }
}

// Handles that belong to the steps: every step has places for them, and dragging one goes to the
// step with a place nearest to the pointer. Python has no part in it.
class Track extends Handles {
  // track: {label, places: [[x, y] for each handle] for each step}, or null.
  show(track, at) {
    Object.assign(this, { track, at, places: track ? track.places[at] : [] });
  }

  look(handle, i) {
    const { label, places } = this.track;
    handle.classList.add("grip");
    const of = this.places.length > 1 ? `, handle ${i + 1}` : "";
    const state = { role: "slider", "aria-label": label + of, "aria-valuemin": 0, "aria-valuemax": places.length - 1,
      "aria-valuenow": this.at, "aria-valuetext": `${this.at + 1} of ${places.length}` };
    for (const [name, value] of Object.entries(state)) handle.setAttribute(name, value);
  }

  put(i, { u, v }) {
    const { width, height } = this.plot.area();
    let nearest = this.at, least = Infinity;
    this.track.places.forEach((places, step) => places.forEach((place) => {
      const share = this.plot.toShare(place);
      const far = Math.hypot((share.u - u) * width, (share.v - v) * height);
      if (far < least) [nearest, least] = [step, far];
    }));
    if (nearest !== this.at) this.send(nearest);
  }

  key(i, { key, shiftKey }) {
    const step = shiftKey ? 5 : 1;
    const to = { ArrowLeft: this.at - step, ArrowDown: this.at - step, ArrowRight: this.at + step,
      ArrowUp: this.at + step, Home: 0, End: this.track.places.length - 1 }[key];
    if (to !== undefined) this.send(to);
    return to !== undefined;
  }
}
