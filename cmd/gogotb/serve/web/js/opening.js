// What the page opens with when no address names a position, and where else one may go: a handful of positions, and random
// endings.

import { get } from "./api.js";
import { knownTables } from "./answer.js";
import { trouble } from "./faults.js";
import { linkTo } from "./link.js";
import { drawPiece, svg } from "./pieces.js";
import { settings } from "./settings.js";
import { owner, parse, start } from "./sfen.js";
import { make, t } from "./words.js";

// positions are worth a look: a name, the set that a table has to cover, null if none does, and the position. Of those that
// are covered, the page opens with the first.
const positions = [
  ["mate", "GSP", "K4/3+P1/5/4g/4k b S 1"],
  ["mate", "GP", "4k/5/2G2/4p/K4 b - 1"],
  ["perpetual", "RB", "2k1r/K4/5/3+B1/5 b - 1"],
  ["zugzwang", "GP", "4G/5/k3p/5/K4 b - 1"],
  ["longest", "GP", "5/K3G/3k1/5/+P4 b - 1"],
  ["nakedKing", null, "4k/5/5/P4/KGSBR w - 1"],
  ["game", null, start],
];
const most = 6;
const dull = 4; // plies, in which a mate is soon seen
const draws = 4; // random positions until one is not dull

// coveredBy are those of the positions that there are tables for, one of a name.
function coveredBy(tables) {
  const names = new Set();
  return positions.filter(([name, set]) => (set === null || tables.has(set)) && !names.has(name) && names.add(name)).slice(0, most);
}

// openingPosition is what the page opens with.
export async function openingPosition() {
  const tables = await knownTables().catch(() => new Map());
  return parse(coveredBy(tables)[0][2]);
}

export class Examples {
  constructor(app, element) {
    Object.assign(this, { app, element });
    app.on("back", () => this.show());
  }

  // again shows them in another language, or with other pieces, if they are there.
  again() {
    if (this.element.childElementCount > 0) this.show();
  }

  async show() {
    const tables = await knownTables().catch(() => null);
    if (!tables) return;
    const counts = [...new Set([...tables.keys()].map(piecesOf))].filter((n) => n > 0).sort();
    this.problem = make("p", { class: "problem", role: "status" });
    this.element.replaceChildren(
      make("div", { class: "examples-head" }, make("h2", {}, t("examples")),
        counts.length === 0 ? null : make("div", { class: "random", role: "group", "aria-label": t("randomEnding") },
          make("span", { class: "quiet", "aria-hidden": "true" }, t("randomEnding")),
          ...counts.map((n) => make("button", { type: "button", "data-pieces": n, "aria-label": t("piecesCount", { n }), title: t("piecesCount", { n }), onclick: () => this.random(n) }, String(n))))),
      make("ul", {}, ...coveredBy(tables).map(([name, , sfen]) => make("li", {}, this.link(t(`example.${name}`), parse(sfen))))),
      this.problem);
  }

  link(name, position) {
    return linkTo(this.app, position, {}, () => this.app.load(position, { push: true }), thumbnail(position), make("span", {}, name));
  }

  // random shows an ending with so many pieces, of any set.
  async random(pieces) {
    this.problem.textContent = "";
    try {
      const sets = [...(await knownTables()).keys()].filter((set) => piecesOf(set) === pieces);
      const material = sets[Math.floor(Math.random() * sets.length)];
      let found;
      for (let i = 0; i < draws && (!found || (found.dtm !== null && found.dtm < dull)); i++) found = await get("random", { material });
      await this.app.load(parse(found.sfen), { push: true, trusted: true });
    } catch (error) {
      this.problem.textContent = trouble(error);
    }
  }
}

const piecesOf = (set) => (set === "none" ? 0 : set.length);

// thumbnail is a small picture of the board alone.
function thumbnail(position) {
  let lines = "";
  for (let i = 1; i < 5; i++) lines += `M${100 * i} 0v500M0 ${100 * i}h500`;
  const drawing = svg("svg", { class: "thumbnail", viewBox: "-8 -8 516 516", "aria-hidden": "true" },
    svg("rect", { class: "thumbnail-wood", x: -6, y: -6, width: 512, height: 512, rx: 22 }), svg("path", { class: "lines", d: lines }));
  position.board.forEach((piece, i) => {
    if (piece === null) return;
    const turn = owner(piece) === "w" ? 180 : 0;
    const [x, y] = [100 * (i % 5) + 50, 100 * Math.floor(i / 5) + 50];
    drawing.append(svg("g", { transform: `translate(${x} ${y}) rotate(${turn}) translate(-50 -51)` }, drawPiece(piece, settings.pieces, turn)));
  });
  return drawing;
}
