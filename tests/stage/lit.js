// Gives figures the colours in which the stage draws them: from stdin {figures, inks}, to stdout figures.

import { readFileSync } from "node:fs";

import { litLayout, litTraces } from "../../pages/_shared/stage/contrast.js";

const { figures, inks } = JSON.parse(readFileSync(0, "utf8"));
const lit = figures.map(({ data, layout }) => ({ data: litTraces(data, inks), layout: litLayout(layout, inks) }));
process.stdout.write(JSON.stringify(lit));
