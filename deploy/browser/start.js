// What stands between Streamlit's page and the Python that runs in a worker: a connection and an
// upload that go there instead of to a server, and the start page until the app is shown.

const root = new URL(".", import.meta.url);
const build = new URL(import.meta.url).search;
const { script, style } = document.querySelector("script[data-script]").dataset;
const start = document.getElementById("start");
const stage = document.getElementById("stage");
const loaded = document.getElementById("loaded");
const amount = document.getElementById("amount");

const worker = new Worker(new URL(`kernel.js${build}`, root), { type: "module" });
const heard = new EventTarget();
worker.onmessage = ({ data }) => heard.dispatchEvent(new MessageEvent(data.what, { data }));
worker.onerror = () => fail("This browser is too old for Chalkline, or could not load it.");

/** Call for every message of one kind that the worker sends. */
function on(what, hear) {
  heard.addEventListener(what, ({ data }) => hear(data));
}

let chosen = null; // the address of the lab that was chosen on the start page
const ready = new Promise((resolve) => {
  on("ready", () => {
    if (chosen) history.pushState(null, "", chosen); // the app opens what the address says
    resolve();
  });
});

// The start page: what is loading and how much of it, and a lab may be chosen meanwhile.

on("stage", ({ text }) => (stage.textContent = text));
on("bytes", ({ count }) => {
  loaded.value += count;
  const megabytes = (bytes) => (bytes / 1e6).toFixed(0);
  amount.textContent = `${megabytes(loaded.value)} of ${megabytes(loaded.max)} MB`;
});
on("failed", ({ text }) => fail(text));

function fail(text) {
  if (!start.isConnected) document.body.prepend(start);
  stage.textContent = text;
  stage.setAttribute("role", "alert");
  loaded.remove();
  amount.remove();
}

start.addEventListener("click", (click) => {
  const link = click.target.closest("a");
  if (!link || click.ctrlKey || click.metaKey || click.shiftKey) return;
  click.preventDefault();
  start.querySelector("[aria-current]")?.removeAttribute("aria-current");
  link.setAttribute("aria-current", "page");
  chosen = link.href.replace(/\/$/, "");
});

/** Show the app in place of the start page, as soon as there is something of it. */
function showApp() {
  const app = document.getElementById("root");
  const shown = () => app.querySelector("[data-testid=stMainBlockContainer] h1");
  const watch = new MutationObserver(() => {
    if (!shown()) return;
    watch.disconnect();
    start.remove();
  });
  watch.observe(app, { childList: true, subtree: true });
}

// The connection. Streamlit gives up one that takes long to open, so it calls itself open; but it
// says so only when Python is there, and until then Streamlit waits.

class Connection extends EventTarget {
  readyState = WebSocket.OPEN;

  constructor() {
    super();
    on("message", ({ message }) => {
      this.dispatchEvent(new MessageEvent("message", { data: message }));
    });
    ready.then(() => this.dispatchEvent(new Event("open")));
  }

  send(bytes) {
    const message = bytes.slice().buffer;
    const place = location.pathname.slice(root.pathname.length).replace("/", "");
    worker.postMessage({ message, lab: !["", "glossary"].includes(place) }, [message]);
  }

  close() {}
}

window.WebSocket = Connection;
Connection.OPEN = 1;

// Streamlit asks a server for its health and for the page's surroundings.

const surroundings = {
  allowedOrigins: [location.origin],
  useExternalAuthToken: false,
  enableCustomParentMessages: false,
  enforceDownloadInNewTab: false,
  metricsUrl: "",
  blockErrorDialogs: false,
  resourceCrossOriginMode: null,
};
window.__streamlit = { BACKEND_BASE_URL: root.href, HOST_CONFIG: surroundings };
const fetched = window.fetch;
window.fetch = async (asked, options) => {
  const [, folder, what] = /^(.*\/)_stcore\/(.*)$/.exec(asked.url ?? String(asked)) ?? [];
  if (folder === undefined) return fetched(asked, options);
  if (folder !== root.href) return new Response("", { status: 404 }); // it tries others as well
  return what === "host-config" ? Response.json(surroundings) : new Response("ok");
};

// An uploaded file goes to the worker; the request that Streamlit waits for is one for nothing.

const UPLOAD = /\/_stcore\/upload_file\/[^/]+\/([^/]+)$/;

window.XMLHttpRequest = class extends XMLHttpRequest {
  open(method, address, ...more) {
    this.file = UPLOAD.exec(address)?.[1];
    this.deletes = method.toUpperCase() === "DELETE";
    if (this.file) super.open("GET", "data:,", ...more);
    else super.open(method, address, ...more);
  }

  async send(body) {
    if (!this.file) return super.send(body);
    if (this.deletes) {
      worker.postMessage({ gone: this.file });
    } else {
      const [file] = body.values();
      const content = await file.arrayBuffer();
      const { name, type } = file;
      worker.postMessage({ file: this.file, name, type, content }, [content]);
    }
    super.send();
  }
};

// A file to be saved has its name after the hash of its address.

const click = HTMLAnchorElement.prototype.click;
HTMLAnchorElement.prototype.click = function () {
  if (this.protocol === "blob:" && this.hash) this.download = decodeURIComponent(this.hash.slice(1));
  click.call(this);
};

// Streamlit's own page. Its style comes with it, so that the start page need not wait for that. The
// address becomes the one that Streamlit has for a page, without the folder's slash.

document.head.append(
  Object.assign(document.createElement("link"), {
    rel: "stylesheet",
    href: new URL(style, root).href,
  }),
);
const icon = document.querySelector("link[rel~=icon]");
icon.setAttribute("href", icon.href); // for it is looked for beside the address
if (location.pathname !== root.pathname)
  history.replaceState(null, "", location.href.replace(/\/(?=\?|#|$)/, ""));
showApp();
import(new URL(script, root)).catch(() => fail("A part of Chalkline could not be loaded."));

// From the second visit on, everything comes from this machine.

if (navigator.serviceWorker)
  ready
    .then(() => navigator.serviceWorker.register(new URL("service_worker.js", root)))
    .catch(() => {}); // a frame of another site may be refused one
