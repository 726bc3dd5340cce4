// Smooth borders of regions in a picture. On the screen a region is an image of 100 x 100 cells or some
// more; on paper its stairs would be seen. The regions are drawn with smaller cells whose colour is that of the near
// large cells, by weight; the middle of every large cell keeps its colour, so that no region is lost.

const SPREAD = 1.2; // cells: the standard deviation of the weights
const REACH = 3; // cells on either side
const FEWEST = 50, LARGEST = 200; // cells across: a smaller image is a table, and a larger one shows small pictures
const FEW = 16; // colours that may differ in their opacity alone

/**
 * Draw the regions in a picture again, with smaller cells.
 * @param {SVGElement} svg
 * @param {number} across about as many cells as a region has then
 */
export async function smoothRegions(svg, across) {
  const images = [...svg.querySelectorAll("image")];
  await Promise.all(images.map(async (image) => {
    const source = new Image();
    source.src = image.href.baseVal;
    await source.decode();
    const { naturalWidth: width, naturalHeight: height } = source;
    if (Math.max(width, height) < FEWEST || Math.max(width, height) > LARGEST) return;
    const canvas = Object.assign(document.createElement("canvas"), { width, height });
    const pen = canvas.getContext("2d");
    pen.drawImage(source, 0, 0);
    const times = 2 * Math.floor(across / Math.max(width, height) / 2) + 1; // odd: a cell has a middle
    const pixels = smoothed(pen.getImageData(0, 0, width, height), times);
    Object.assign(canvas, { width: times * width, height: times * height });
    pen.putImageData(new ImageData(pixels, canvas.width), 0, 0);
    image.removeAttributeNS("http://www.w3.org/1999/xlink", "href"); // Plotly's
    image.setAttribute("href", canvas.toDataURL());
  }));
}

/**
 * Return the pixels of an image with smaller cells.
 * @param {{width: number, height: number, data: Uint8ClampedArray}} image
 * @param {number} times as many cells, across and down
 * @returns {Uint8ClampedArray}
 */
export function smoothed({ width, height, data }, times) {
  const all = numbered(data, 4);
  const { labels, first } = all.first.length <= FEW ? all : numbered(data, 3);
  const shaded = first.length < all.first.length; // then opacity goes over from cell to cell
  const weights = weightsOf(times);
  const field = (value) => spread(Float32Array.from(labels, value), width, height, weights);
  const [across, down] = [times * width, times * height];
  const best = new Float32Array(across * down).fill(-1);
  const nearest = new Uint8Array(across * down);
  first.forEach((_, label) => {
    field((other) => +(other === label)).forEach((share, i) => {
      if (share > best[i]) [best[i], nearest[i]] = [share, label];
    });
  });
  const opacity = shaded ? field((_, i) => data[4 * i + 3]) : null;
  const found = new Uint8ClampedArray(4 * across * down);
  const middle = (times - 1) / 2;
  for (let y = 0; y < down; y++) {
    for (let x = 0; x < across; x++) {
      const [row, column] = [Math.floor(y / times), Math.floor(x / times)];
      const own = labels[row * width + column];
      const kept = nearest[(row * times + middle) * across + column * times + middle] === own;
      const i = y * across + x;
      const from = 4 * first[kept ? nearest[i] : own];
      found.set(data.subarray(from, from + 4), 4 * i);
      if (opacity) found[4 * i + 3] = opacity[i];
    }
  }
  return found;
}

// The cells by colour: their first `parts` of red, green, blue and opacity. Colours are numbered in the
// order in which they come; `first` has a cell of each.
function numbered(data, parts) {
  const known = new Map();
  const first = [];
  const labels = new Uint8Array(data.length / 4);
  for (let i = 0; i < labels.length; i++) {
    const name = data.subarray(4 * i, 4 * i + parts).join();
    if (!known.has(name)) known.set(name, first.push(i) - 1);
    labels[i] = known.get(name);
  }
  return { labels, first };
}

// For each small cell within a large one, the weights of the large cells around.
function weightsOf(times) {
  return Array.from({ length: times }, (_, i) => {
    const off = (i + 0.5) / times - 0.5;
    const all = Array.from({ length: 2 * REACH + 1 }, (_, j) => Math.exp(-(((j - REACH - off) / SPREAD) ** 2) / 2));
    const sum = all.reduce((total, weight) => total + weight);
    return all.map((weight) => weight / sum);
  });
}

// Values of cells as weighted means of those around, in smaller cells: first across, then down.
function spread(values, width, height, weights) {
  const once = stretched(values, width, height, weights);
  return stretched(once, height, width * weights.length, weights);
}

// Each row of `height` becomes `weights.length` times as long, and rows and columns are exchanged.
function stretched(values, width, height, weights) {
  const times = weights.length;
  const found = new Float32Array(values.length * times);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      for (let part = 0; part < times; part++) {
        let sum = 0;
        for (let j = -REACH; j <= REACH; j++) {
          const near = Math.min(width - 1, Math.max(0, x + j));
          sum += weights[part][j + REACH] * values[y * width + near];
        }
        found[(x * times + part) * height + y] = sum;
      }
    }
  }
  return found;
}
