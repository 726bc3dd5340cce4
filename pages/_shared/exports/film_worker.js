// Writes the pictures of a film into a GIF, off the page's own thread. `gifenc` stands above this code.

const COLOURS = 255; // of a picture; one more says that a pixel is as before
const gif = gifenc.GIFEncoder();
let before = null;

onmessage = ({ data: { pixels, width, height, wait, last } }) => {
  const colours = new Uint8ClampedArray(pixels);
  const words = new Uint32Array(pixels);
  const palette = gifenc.quantize(colours, COLOURS);
  const index = gifenc.applyPalette(colours, palette);
  const transparentIndex = palette.length;
  palette.push([0, 0, 0]);
  if (before) for (let i = 0; i < words.length; i++) if (words[i] === before[i]) index[i] = transparentIndex;
  const how = { palette, delay: wait, repeat: 0, dispose: 1, transparent: before !== null, transparentIndex };
  gif.writeFrame(index, width, height, how);
  before = words;
  if (last) gif.finish();
  postMessage(last ? gif.bytes() : null);
};
