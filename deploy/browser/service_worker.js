// Keeps all files of this build, so that the next visit needs no network. The list is the build's:
// every file with its version, and a new build fetches only what has another one.

const FILES = {};
const NAME = "chalkline";
const root = new URL(".", self.location.href).href;

/** The name a file is kept under: its version is part of it. */
const kept = (file) => `${root}${file}?version=${FILES[file]}`;

self.addEventListener("install", (event) => event.waitUntil(keepAll()));
self.addEventListener("activate", (event) => event.waitUntil(forgetOld()));
self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || !request.url.startsWith(root)) return;
  const path = decodeURI(new URL(request.url).pathname).slice(new URL(root).pathname.length);
  if (request.mode === "navigate" && `${path}/index.html` in FILES)
    return event.respondWith(toFolder(request.url)); // as web servers do
  const file = path === "" || path.endsWith("/") ? `${path}index.html` : path;
  if (file in FILES) event.respondWith(find(file));
});

async function keepAll() {
  const cache = await caches.open(NAME);
  for (const file of Object.keys(FILES)) {
    if (await cache.match(kept(file))) continue;
    const answer = await fetch(root + file, { cache: "no-cache" });
    if (!answer.ok) throw new Error(`${file}: ${answer.status}`);
    await cache.put(kept(file), answer);
  }
  await self.skipWaiting();
}

async function forgetOld() {
  const cache = await caches.open(NAME);
  const current = new Set(Object.keys(FILES).map(kept));
  for (const { url } of await cache.keys()) if (!current.has(url)) await cache.delete(url);
}

async function find(file) {
  const cache = await caches.open(NAME);
  return (await cache.match(kept(file))) ?? fetch(root + file);
}

function toFolder(url) {
  const target = new URL(url);
  target.pathname += "/";
  return Response.redirect(target.href, 302);
}
