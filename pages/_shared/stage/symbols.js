// Outlines: of Plotly's symbols by their index, of the marks over points, and of small pies.

const rounded = (number) => +number.toFixed(2);

function polygon(corners, r) {
  return `M${corners.map(([x, y]) => `${rounded(x * r)},${rounded(y * r)}`).join("L")}Z`;
}

const SQUARE = [[-1, -1], [1, -1], [1, 1], [-1, 1]];
const DIAMOND = [[0, -1.35], [1.35, 0], [0, 1.35], [-1.35, 0]];
const PLUS = [
  [-0.4, -1.2], [0.4, -1.2], [0.4, -0.4], [1.2, -0.4], [1.2, 0.4], [0.4, 0.4],
  [0.4, 1.2], [-0.4, 1.2], [-0.4, 0.4], [-1.2, 0.4], [-1.2, -0.4], [-0.4, -0.4],
];
const CROSS = PLUS.map(([x, y]) => [(x - y) * Math.SQRT1_2, (x + y) * Math.SQRT1_2]);
const UPWARDS = [[0, -1.3], [1.25, 0.9], [-1.25, 0.9]];
const DOWNWARDS = [[0, 1.3], [1.25, -0.9], [-1.25, -0.9]];
const STAR = Array.from({ length: 10 }, (_, i) => {
  const angle = (i * Math.PI) / 5 - Math.PI / 2;
  const radius = i % 2 ? 0.6 : 1.5;
  return [radius * Math.cos(angle), radius * Math.sin(angle)];
});
const POLYGONS = { 1: SQUARE, 2: DIAMOND, 3: PLUS, 4: CROSS, 5: UPWARDS, 6: DOWNWARDS, 17: STAR };

const circle = (r) => `M${r},0A${r},${r} 0 1,1 ${-r},0A${r},${r} 0 1,1 ${r},0Z`;
const cross = (r) => `M${-r},${-r}L${r},${r}M${-r},${r}L${r},${-r}`;

/** The outline of a symbol for a marker of radius r; a circle where there is no such symbol. */
export function symbolPath(symbol, r) {
  return symbol in POLYGONS ? polygon(POLYGONS[symbol], r) : circle(rounded(r));
}

/** The open symbols: ring, square and diamond, the first two also with a cross inside, and the cross alone. */
export function markPath(symbol, r) {
  switch (symbol) {
    case 101: return symbolPath(1, r);
    case 102: return symbolPath(2, r);
    case 128: return circle(r) + cross(rounded(r * Math.SQRT1_2));
    case 130: return symbolPath(1, r) + cross(r);
    case 134: return cross(r);
    default: return circle(r);
  }
}

const SMALLEST_SLICE = 5; // of 255

/** Return the slices of a pie of radius r, clockwise from the top, as [group, outline] pairs. */
export function piePaths(shares, r) {
  const shown = Array.from(shares, (share, group) => [group, share]);
  const slices = shown.filter(([, share]) => share >= SMALLEST_SLICE);
  const whole = slices.reduce((sum, [, share]) => sum + share, 0);
  const at = (turn) =>
    `${rounded(r * Math.sin(2 * Math.PI * turn))},${rounded(-r * Math.cos(2 * Math.PI * turn))}`;
  let from = 0;
  return slices.map(([group, share]) => {
    const to = from + share / whole;
    const large = to - from > 0.5 ? 1 : 0;
    const path = `M0,0L${at(from)}A${r},${r} 0 ${large},1 ${at(to)}Z`;
    from = to;
    return [group, path];
  });
}

/**
 * Return a group's fill and symbol. After the eighth group the colours repeat, with other symbols.
 * @param {number} group
 * @param {{fills?: string[], symbols?: number[]}} own the figure's own colours and symbols
 * @param {{palette: string[], symbols: number[]}} theme
 */
export function lookOf(group, own, theme) {
  const colors = theme.palette.length;
  const turned = (group + Math.floor(group / colors)) % theme.symbols.length;
  return {
    fill: own.fills?.[group] ?? theme.palette[group % colors],
    symbol: own.symbols?.[group] ?? theme.symbols[turned],
  };
}
