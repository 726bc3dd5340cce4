// Instead of all scripts of the stage, where the server hands them out as one file: it loads that.

export default function () {
  import(`${location.origin}ADDRESS`).then((all) => all.default());
}
