// The graph of a game: Sente's winning chances where something estimates them, and mates beyond the edges, each as high as it is near.
// It is also a slider along the game.

import { judged, valueOf } from "./game-review.js";
import { nameOf } from "./game-list.js";
import { svg } from "./pieces.js";
import { t } from "./words.js";

const [height, band] = [120, 30]; // pixels; band: where mates are, above and below

export class GameGraph {
  constructor(app, element) {
    Object.assign(this, { app, element });
    new ResizeObserver(() => this.width !== element.clientWidth && this.show()).observe(element);
    element.tabIndex = 0;
    element.setAttribute("role", "slider");
    element.addEventListener("pointerdown", (event) => {
      element.setPointerCapture(event.pointerId);
      this.pointed(event);
    });
    element.addEventListener("pointermove", (event) => event.buttons === 1 && this.pointed(event));
    element.addEventListener("keydown", (event) => this.typed(event));
  }

  get line() {
    return this.app.game.line;
  }

  pointed(event) {
    const { left, width: wide } = this.element.getBoundingClientRect();
    this.app.go(Math.round(((event.clientX - left) / wide) * this.columns - 0.5));
  }

  typed(event) {
    const { game } = this.app;
    const to = { ArrowRight: game.at + 1, ArrowUp: game.at + 1, ArrowLeft: game.at - 1, ArrowDown: game.at - 1, PageUp: game.at + 10, PageDown: game.at - 10, Home: 0, End: this.line.length }[event.key];
    if (to === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    this.app.go(to);
  }

  // columns are those that the graph has room for; short games do not fill it.
  get columns() {
    return Math.max(this.line.length, 12);
  }

  show() {
    const { line, element } = this;
    const { at, node } = this.app.game;
    const width = (this.width = element.clientWidth);
    if (width === 0) return; // it is not shown
    const column = width / this.columns;
    element.setAttribute("viewBox", `0 0 ${width} ${height}`);
    const x = (ply) => (ply + 0.5) * column;
    const y = (chance) => band + (1 - chance) * (height - 2 * band);
    const values = line.map(valueOf);
    const drawn = [
      svg("rect", { class: "graph-band", x: 0, y: 0, width, height: band }),
      svg("rect", { class: "graph-band", x: 0, y: height - band, width, height: band }),
      svg("path", { class: "graph-even", d: `M0 ${height / 2}H${width}` }),
      label("▲", band - 9),
      label("△", height - 9),
    ];
    drawn.push(svg("rect", { class: "graph-here", x: x(at) - column / 2, y: 0, width: column, height }));
    let chances = "";
    values.forEach((value, ply) => {
      const chance = value?.chance ?? (value?.winner === "b" ? 1 : value?.winner === "w" ? 0 : null);
      if (chance === null) return;
      chances += `${chances && values[ply - 1] && !gap(values[ply - 1]) ? "L" : "M"}${x(ply).toFixed(1)} ${y(chance).toFixed(1)}`;
    });
    if (values.some((value) => value?.chance !== null && value?.chance !== undefined)) drawn.push(svg("path", { class: "graph-chances", d: chances }));
    values.forEach((value, ply) => {
      if (value?.winner === "b" || value?.winner === "w") drawn.push(...mate(value, x(ply), column));
      else if (value && value.chance === null) drawn.push(svg("circle", { class: "graph-unknown", cx: x(ply), cy: height / 2, r: Math.min(column / 4, 2.5) }));
    });
    line.forEach((n, ply) => {
      const mark = judged(n.review);
      if (mark && mark.kind !== "only") drawn.push(svg("circle", { class: `graph-mark ${mark.kind}`, cx: x(ply), cy: height / 2, r: Math.min(column / 2.5, 5) }));
    });
    element.replaceChildren(...drawn);
    element.setAttribute("aria-label", t("graph"));
    element.setAttribute("aria-valuemin", 0);
    element.setAttribute("aria-valuemax", line.length - 1);
    element.setAttribute("aria-valuenow", at);
    element.setAttribute("aria-valuetext", [node.parent ? `${node.ply} ${nameOf(node)}` : t("gameStart"), judged(node.review)?.text, valueOf(node)?.text].filter(Boolean).join(". "));
  }
}

function label(content, y) {
  const text = svg("text", { class: "graph-side", x: 5, y });
  text.textContent = content;
  return text;
}

// gap tells whether a line of chances is broken at a value.
const gap = (value) => value.chance === null && value.winner === "";

// mate is the bar of a mate, or another win, with its plies where there is room: the nearer, the longer.
function mate({ winner, plies, exact }, x, column) {
  const length = plies === null ? band / 2 : band * Math.max(0.3, 1 - Math.max(plies - 1, 0) / 16);
  const top = winner === "b" ? band - length : height - band;
  const bar = svg("rect", { class: `graph-mate ${winner}${exact === false ? " about" : ""}`, x: x - column * 0.36, y: top, width: column * 0.72, height: length, rx: Math.min(2, column / 4) });
  if (column < 13 || !plies) return [bar];
  const text = svg("text", { class: "graph-plies", x, y: winner === "b" ? band + 13 : height - band - 5, "text-anchor": "middle" });
  text.textContent = plies;
  return [bar, text];
}
