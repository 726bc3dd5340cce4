// Puts figures into words and tables as the stage does: from stdin a list, to stdout what is said.

import { readFileSync } from "node:fs";

import { inWords } from "../../pages/_shared/stage/in_words.js";
import { written } from "../../pages/_shared/stage/readings.js";
import { tables } from "../../pages/_shared/stage/tables.js";

const figures = JSON.parse(readFileSync(0, "utf8"));
const said = figures.map((figure) => ({ words: inWords(figure, null), tables: tables(figure, null) }));
const cells = said.map(({ words, tables: all }) => ({
  words,
  tables: all.map(({ caption, columns, rows }) => ({ caption, columns, rows, cells: rows.map((row) => row.map(written)) })),
}));
process.stdout.write(JSON.stringify(cells));
