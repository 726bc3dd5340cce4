// Where the server serves the stage's scripts as one file, this loader is sent instead of the
// scripts.

export default function () {
  import(`${location.origin}ADDRESS`).then((all) => all.default());
}
