// Handles: places on the plane that the user drags, such as the first centres.

class Handles {
  constructor(picture, plot, theme, send) {
    Object.assign(this, { picture, plot, theme, send, places: [] });
  }

  draw() {
    const { width, height, left, top } = this.plot.area();
    const box = this.picture.getBoundingClientRect();
    const old = [...this.picture.querySelectorAll(".handle")];
    old.slice(this.places.length).forEach((handle) => handle.remove());
    this.places.forEach((place, i) => {
      const handle = old[i] || this.create(i);
      const { u, v } = this.plot.toShare(place);
      handle.style.left = `${left - box.left + u * width}px`;
      handle.style.top = `${top - box.top + (1 - v) * height}px`;
      handle.style.setProperty("--color", this.theme.palette[i % this.theme.palette.length]);
    });
  }

  // Python hears when a handle is let go.
  put(i, { u, v }, letGo) {
    const inside = (share) => Math.min(1, Math.max(0, share));
    this.places[i] = this.plot.toData({ u: inside(u), v: inside(v) });
    this.draw();
    if (letGo) this.send(this.places);
  }

  create(i) {
    const handle = document.createElement("button");
    handle.className = "handle";
    handle.textContent = i + 1;
    handle.setAttribute("aria-label", `Place ${i + 1}: drag it, or move it with the arrow keys`);
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
      const step = event.shiftKey ? 0.1 : 0.02;
      const by = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, step], ArrowDown: [0, -step] }[event.key];
      if (!by) return;
      event.preventDefault();
      event.stopPropagation();
      const { u, v } = this.plot.toShare(this.places[i]);
      this.put(i, { u: u + by[0], v: v + by[1] }, true);
    });
    return this.picture.appendChild(handle);
  }
}
