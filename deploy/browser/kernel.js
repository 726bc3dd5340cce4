// The worker in which Python runs: it loads and starts it, and passes messages on.

import { loadPyodide } from "./pyodide/pyodide.mjs";

const here = new URL(".", self.location.href).href;
const build = self.location.search;

const tell = (what, more, given) => postMessage({ what, ...more }, given);
const stage = (text) => tell("stage", { text });

// Everything is fetched at once, and whoever asks for it later finds it under way. How much has
// come is told, but not of WebAssembly: a browser keeps what it compiled only of an answer that
// nobody has touched.

const fetchNow = self.fetch.bind(self);
const underWay = new Map();

function load(address) {
  const { href } = new URL(address, here);
  if (!underWay.has(href)) underWay.set(href, fetchCounted(href));
  return underWay.get(href);
}

async function fetchCounted(href) {
  const answer = await fetchNow(href);
  if (!answer.ok) throw new Error(`${href}: ${answer.status}`);
  if (href.endsWith(".wasm")) {
    tell("bytes", { count: Number(answer.headers.get("content-length")) });
    return answer;
  }
  const count = new TransformStream({
    transform(chunk, out) {
      tell("bytes", { count: chunk.byteLength });
      out.enqueue(chunk);
    },
  });
  const { status, headers } = answer;
  return new Response(answer.body.pipeThrough(count), { status, headers });
}

self.fetch = (asked, options) => {
  const href = asked.url ?? String(asked);
  return underWay.get(href) ?? fetchNow(asked, options);
};

const BEGIN = `
import importlib, sys
sys.path.insert(0, "/app")
sys.dont_write_bytecode = False  # see keepCompiled
importlib.invalidate_caches()`;
const PARTS = ["base.pack", "app.pack", "scipy.pack"].map((name) => name + build);
const [BASE, APP, SCIPY] = PARTS;

async function start() {
  stage("Loading Python");
  ["pyodide/pyodide.asm.wasm", "pyodide/python_stdlib.zip", ...PARTS].forEach(load);
  const python = await loadPyodide();
  stage("Unpacking the libraries");
  await unpack(python, load(BASE));
  await unpack(python, load(APP));
  const compiled = await kept?.then((cache) => cache?.match(COMPILED));
  if (compiled) await unpack(python, compiled);
  stage("Starting the app");
  python.runPython(BEGIN);
  const kernel = python.pyimport("kernel");
  await kernel.start(here, (message) => {
    const { buffer } = message.toJs();
    tell("message", { message: buffer }, [buffer]);
  });
  tell("ready");
  return { python, kernel };
}

/** Lay out the files of a compressed tar. (Python's own way takes five times as long.) */
async function unpack(python, archive) {
  const packed = (await archive).body.pipeThrough(new DecompressionStream("gzip"));
  const bytes = new Uint8Array(await new Response(packed).arrayBuffer());
  const text = (from, length) =>
    new TextDecoder().decode(bytes.subarray(from, from + length)).replace(/\0.*/s, "");
  for (let at = 0; bytes[at]; ) {
    const path = `${text(at + 345, 155)}/${text(at, 100)}`;
    const size = parseInt(text(at + 124, 12), 8);
    const start = at + 512;
    python.FS.mkdirTree(`/${path.slice(0, path.lastIndexOf("/"))}`);
    python.FS.writeFile(`/${path}`, bytes.subarray(start, start + size), { canOwn: true });
    at = start + Math.ceil(size / 512) * 512;
  }
}

// SciPy is what the labs need and the gallery does not.
let scipy = null;
const addSciPy = (python) =>
  (scipy ??= unpack(python, load(SCIPY)).catch(() =>
    tell("failed", { text: "A part of Chalkline could not be loaded. Reload the page to try again." }),
  ));

// Plotly's own script is what the export of a run needs: it comes when all else is there.
let plotly = null;
const addPlotly = (python) =>
  (plotly ??= unpack(python, fetchNow(`${here}plotly.pack${build}`)).catch(() => (plotly = null)));

async function handle({ message, lab, file, name, type, content, gone }) {
  const { python, kernel } = await started;
  const bytes = (buffer) => python.toPy(new Uint8Array(buffer)).tobytes();
  if (lab) await addSciPy(python);
  if (gone) kernel.forget_file(gone);
  else if (file) kernel.keep_file(file, name, type, bytes(content));
  else kernel.receive(bytes(message));
  await addSciPy(python);
  addPlotly(python);
  clearTimeout(pause);
  pause = setTimeout(() => keepCompiled(kernel), PAUSE);
}

// What Python has compiled is kept for the next visit, when nobody has done anything for a while.

const COMPILED = `${here}compiled${build}`;
const PAUSE = 4000; // milliseconds
// Only secure pages have a cache, and in a frame of another site it may be refused.
const kept = self.caches?.open("chalkline compiled").catch(() => null);
let pause, modules;

async function keepCompiled(kernel) {
  if (!kept || kernel.count_modules() === modules) return;
  modules = kernel.count_modules();
  const compiled = kernel.compiled();
  const bytes = compiled.toJs();
  compiled.destroy();
  const packed = new Blob([bytes]).stream().pipeThrough(new CompressionStream("gzip"));
  const cache = await kept;
  if (!cache) return;
  for (const old of await cache.keys()) if (old.url !== COMPILED) await cache.delete(old);
  await cache.put(COMPILED, new Response(packed));
}

const started = start();
started.catch((error) => {
  console.error(error);
  tell("failed", { text: `Chalkline could not be started. ${error.message.trim().split("\n").at(-1)}` });
});
let before = started; // one after the other, in their order
onmessage = ({ data }) => (before = before.then(() => handle(data)).catch(console.error));
