// The stage: puts the parts together, and keeps them through reruns and page switches.

import { Address, fromShares, toShares } from "./address.js";
import { Beside } from "./beside.js";
import { Commands } from "./commands.js";
import { Embedding } from "./embedding.js";
import { Film } from "./film.js";
import { FirstVisit } from "./first_visit.js";
import { Fork } from "./fork.js";
import { FilmStrip } from "./film_strip.js";
import { FrameSupply } from "./frame_supply.js";
import { Goal } from "./goal.js";
import { Help } from "./help.js";
import { Jumps } from "./jumps.js";
import { Keys } from "./keys.js";
import { Layers } from "./layers.js";
import { Lesson } from "./lesson.js";
import { Memory } from "./memory.js";
import { Motion } from "./motion.js";
import { Outbox } from "./outbox.js";
import { Painting } from "./painting.js";
import { Panel } from "./panel.js";
import { Player } from "./player.js";
import { Popovers } from "./popovers.js";
import { PredictOffer } from "./predict_offer.js";
import { Presenter } from "./present.js";
import { Printing } from "./print.js";
import { Quiz } from "./quiz.js";
import { Follow } from "./room/follow.js";
import { Room } from "./room/room.js";
import { Secret } from "./secret.js";
import { Settings } from "./settings.js";
import { SignsPanel } from "./signs_panel.js";
import { SliderDrag } from "./slider_drag.js";
import { Spoken } from "./spoken.js";
import { Theme } from "./theme.js";
import { Tour } from "./tour.js";
import { Words } from "./words.js";

// A stage ends when its lab is left; these parts go on.
const memory = new Memory();
const settings = new Settings();

class Stage {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.place = undefined; // the lab and its mode
    this.error = null;
    this.theme = new Theme();
    this.embedding = new Embedding(!this.page);
    this.presenter = new Presenter(root, this.embedding);
    if (this.embedding.on) this.presenter.enter();
    this.address = new Address(() => this.look);
    this.observer = new ResizeObserver(() => this.measure()); // before those of the plots
    this.observer.observe(root);
    this.outbox = new Outbox();
    this.supply = new FrameSupply((window.chalkline ??= {}), () => this.arrived());
    this.player = new Player(root, this.supply, (...shown) => this.show(...shown), settings);
    this.player.untouched = () => memory.untouched(this.place);
    window.chalkline.film = new Film(this.player);
    this.motion = new Motion(root);
    this.words = new Words(root);
    this.spoken = new Spoken(root.querySelector(".spoken"));
    this.fork = new Fork(root, this.player, this.outbox);
    this.layers = new Layers(root, () => this.player.refresh());
    this.beside = new Beside(root, this.theme, (...where) => this.panel(...where));
    this.picture = this.panel(root.querySelector(".picture"), root.querySelector(".picture .plot"));
    this.painting = new Painting(root, this.picture, this.theme, settings, this.outbox);
    this.painting.carry = (edit) => this.fork.carry(edit);
    this.help = new Help(root, settings);
    this.quiz = new Quiz(root, this.player, settings, () => this.panels);
    this.signs = new SignsPanel(root, () => (root.classList.contains("equal") ? this.panels : [this.picture]));
    this.strip = new FilmStrip(root, this.player, this.theme, this.layers);
    const { quiz, player, painting, fork, help, presenter, embedding, signs, strip, words } = this;
    quiz.say = (what) => words.say(what);
    const lesson = (this.lesson = new Lesson(root, presenter, words));
    const goal = (this.goal = new Goal(root, words));
    const tour = (this.tour = new Tour(root, this.picture, player, this.beside));
    const predictOffer = (this.predictOffer = new PredictOffer(root, quiz, player));
    this.secret = new Secret(quiz, lesson, player, words, () => this.panels);
    const room = (this.room = new Room(root, quiz, player, this.theme, () => this.panels));
    room.drawing.onBare = (bare) => this.secret.setBare(bare);
    this.follow = new Follow(root, (look) => this.goTo(look));
    this.commands = new Commands({ quiz, player, painting, fork, help, presenter, embedding, signs, strip, words, room, lesson, goal, predictOffer, tour });
    this.keys = new Keys((asked) => this.commands.act(asked), () => this.quiz.asking, settings);
    this.printing = new Printing(root, () => this.recolor(), this.signs);
    this.sliderDrag = new SliderDrag(this.outbox);
    this.jumps = new Jumps(root);
    this.firstVisit = new FirstVisit(root, this.player);
    this.popovers = new Popovers();
    this.turn = 0; // counts the updates
    /** @type {any} */
    this.colors = null; // what Python sent last
    this.listeners = new AbortController();
    const { signal } = this.listeners;
    root.addEventListener("click", (event) => this.commands.click(event), { signal });
  }

  panel(container, div) {
    const dialog = this.root.querySelector(".as-table");
    return new Panel(container, div, this.theme, this.player, this.outbox, dialog, this.layers);
  }

  // The element of the app that scrolls; an exported run has none.
  get page() {
    return this.root.closest("[data-testid=stMain]");
  }

  get panels() {
    return [this.picture, ...this.beside.panels];
  }

  // The picture gets the height that remains below what is above the stage. The type has grown with
  // it.
  measure() {
    const page = this.page ?? document.documentElement;
    const above = this.root.getBoundingClientRect().top + page.scrollTop;
    this.root.style.setProperty("--above", `${Math.round(above)}px`);
    this.theme.measure(getComputedStyle(this.root), this.presenter.on);
  }

  /**
   * Show Python's answer to a move.
   * @param {object} component Streamlit's
   * @param {import("./protocol.js").Stage} component.data
   * @param {(what: string, value: any) => void} component.setStateValue
   */
  update({ data, setStateValue }) {
    this.outbox.setStateValue = setStateValue;
    this.outbox.answered();
    this.remember();
    this.measure();
    if (data.place !== this.place) {
      this.address.page = data.place ? location.pathname : null;
      this.outbox.unheard = null;
    }
    this.outbox.heardMove(data.put);
    const fresh = this.supply.open(data.scene, data.opening);
    const { run, place, fork, grows, opens, bounds, session, links, look, error } = data;
    const { end } = this.supply.run;
    const last = { place: this.place, fork: this.fork.step };
    const now = { run, place, fork, grows, opens, bounds, session, links, end, at: look.at };
    const resume = memory.resume(now, last);
    this.place = place;
    this.error = error;
    this.root.classList.toggle("failed", Boolean(error));
    const elsewhere = place !== last.place ? [] : null;
    this.layers.offer(this.supply.run.views, resume.followed ? look.layers : elsewhere);
    this.fork.set(data);
    this.painting.tools.setCarrying(data.carries);
    this.colors = data;
    this.setTheme(data);
    this.setViews(data, resume);
    this.painting.setBoard(data.paint, this.supply.run.views[0], data.legend);
    if (resume.followed) this.setLook(look);
    if (place !== last.place) this.words.forget();
    if (resume.ranAgain && data.reason) this.words.say(`Ran again: ${data.reason}`);
    this.goOn(fresh, resume);
    this.quiz.about = { lab: data.place, origin: data.origin };
    this.room.offer(data.rooms, data.origin);
    this.room.offerDrawing(this.supply.run.drawing, data.scene);
    this.lesson.show(data.lab, data.lesson);
    this.goal.show(data.lesson?.goal ?? null);
    this.quiz.setRun(run, data.quiz, resume.followed);
    this.painting.takeTool(); // draws the points, of the figure that is shown by now
    this.painting.showToolbar();
    if (resume.fromTop) this.page?.scrollTo(0, 0);
    const alone = !this.page || this.presenter.on || this.embedding.on;
    const busy = Boolean(error || data.quiz.length);
    this.firstVisit.offer({ alone, busy });
    this.follow.answered(data.rooms);
    this.tour.opens = opens;
    Object.assign(this.predictOffer, { lab: data.place.split(",")[0], alone: alone || busy });
  }

  // Frames have come.
  arrived() {
    this.player.arrived();
    this.strip.shown();
  }

  // Keep the shown step unless there is another run to show.
  goOn(fresh, { followed, at, another, atEnd }) {
    const { player } = this;
    if (followed || (player.playing && atEnd)) player.pause();
    if (fresh || followed || another) player.setRun(at);
    else player.refresh();
  }

  // Plots take their colours and typeface from the theme's two templates, points from the theme itself.
  setTheme({ theme, paint }) {
    this.theme.setColors(theme, getComputedStyle(this.root), Boolean(paint?.classes));
    this.root.dataset.theme = this.theme.name;
  }

  // Redraw, because the page's colours have changed without an answer from Python.
  recolor() {
    this.setTheme(this.colors);
    const { views } = this.supply.run;
    this.panels.forEach(({ plot }, i) => plot.setLook(views[i].title, this.theme.template));
    return this.player.refresh();
  }

  /** @param {import("./protocol.js").Stage} data @param {any} resume */
  setViews({ handles, choices }, { zoom, arrangement }) {
    const { views, equal } = this.supply.run;
    this.root.classList.toggle("equal", Boolean(equal));
    this.root.querySelector(".picture .name").textContent = views[0].title;
    this.beside.setViews(views.slice(1), arrangement);
    this.picture.plot.zoom = zoom;
    this.panels.forEach((panel, i) => {
      panel.plot.setLook(views[i].title, this.theme.template);
      panel.setHandles(handles.filter(({ view }) => view === i), this.outbox.unheard?.name);
      panel.choices.show(choices.filter(({ view }) => view === i));
    });
  }

  // Apply the zoom and presenter mode that a link asks for.
  setLook({ zoom, present }) {
    this.picture.plot.zoom = this.painting.paintable ? fromShares(zoom, this.whole) : null;
    if (present && !this.presenter.on) this.presenter.enter();
  }

  /** Show another step, zoom and layers of the same run. @param {import("./room/follow.js").Look} look */
  goTo({ at, zoom, layers }) {
    this.layers.offer(this.supply.run.views, layers);
    this.setLook({ zoom, present: false });
    this.player.goByHand(at);
  }

  // Return what the picture shows when nobody has zoomed.
  get whole() {
    const { xaxis, yaxis } = this.supply.run.views[0].first.layout;
    return { x: xaxis.range, y: yaxis.range };
  }

  // Return the look for the address.
  get look() {
    const zoom = this.picture.plot.zoom && toShares(this.picture.plot.zoom, this.whole);
    return { at: this.player.at, opens: this.colors?.opens ?? 0, zoom, present: this.presenter.on, layers: this.layers.named };
  }

  // Draw a held step: the picture, and the caption of the same step. The motion takes `time`.
  show(step, at, time) {
    const { run } = this.supply;
    memory.setStep(this.place, at);
    const headline = this.words.show(this.error || run.caption(step), run.views[0].title, this.error ? "" : run.answer(step));
    this.spoken.step(headline, this.player.words, run.event(step), this.player.playing);
    this.quiz.shown(step, at);
    this.secret.keep();
    this.room.shown();
    this.signs.shown(this.colors?.legend ?? null);
    this.tour.shown();
    this.strip.shown();
    const [{ first }] = run.views;
    const named = (/** @type {import("./protocol.js").Figure} */ figure) => figure.points?.group.bdata === first.points?.group.bdata;
    const draw = (/** @type {Panel} */ panel, /** @type {number} */ i) => {
      const figure = run.figure(i, step);
      return panel.show(run.views[i], figure, at, named(figure) ? (this.colors?.legend ?? null) : null, run.placeIn(i, step));
    };
    return this.motion.during(time, () => Promise.all(this.panels.map(draw)));
  }

  remember() {
    if (this.place) memory.setStep(this.place, this.player.at); // it may be drawn only later
    memory.leave(this.place, this.picture.plot.zoom, this.beside.arrangement);
  }

  destroy() {
    this.remember();
    this.outbox.answered();
    this.listeners.abort();
    this.address.destroy();
    this.presenter.destroy();
    this.supply.close();
    this.player.destroy();
    this.motion.destroy();
    this.printing.destroy();
    this.spoken.destroy();
    this.keys.destroy();
    this.sliderDrag.destroy();
    this.jumps.destroy();
    this.firstVisit.destroy();
    this.room.destroy();
    this.follow.destroy();
    this.lesson.destroy();
    this.goal.destroy();
    this.predictOffer.destroy();
    this.tour.destroy();
    this.popovers.destroy();
    this.painting.destroy();
    this.observer.disconnect();
    this.beside.destroy();
    this.signs.destroy();
    this.strip.destroy();
    this.picture.destroy();
  }
}

const stages = new WeakMap();

/**
 * Update the stage at every rerun. Return the function that ends it when the stage leaves the page.
 */
export function mountStage(component) {
  const root = component.parentElement.querySelector(".stage");
  const stage = stages.get(root) ?? new Stage(root);
  stages.set(root, stage);
  stage.update(component);
  const turn = ++stage.turn;
  return () => {
    if (stage.turn !== turn) return; // a later update has taken over and will end it
    stage.destroy();
    stages.delete(root);
  };
}
