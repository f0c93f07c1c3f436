// What is drawn over the board: arrows for moves, and on the squares where a held piece can go what comes of it there.

import { svg } from "./pieces.js";

export function text(className, x, y, content) {
  const element = svg("text", { class: className, x, y, "text-anchor": "middle" });
  element.textContent = content;
  return element;
}

// arrow leads from one middle of a square to another; outcome colours it.
export function arrow([x, y], [tx, ty], outcome, name = "") {
  const length = Math.hypot(tx - x, ty - y);
  const [ux, uy] = [(tx - x) / length, (ty - y) / length];
  const [ex, ey] = [tx - ux * 26, ty - uy * 26];
  return svg("g", { class: `arrow ${outcome ?? ""} ${name}` },
    svg("path", { class: "arrow-line", d: `M${x + ux * 24} ${y + uy * 24}L${ex - ux * 12} ${ey - uy * 12}` }),
    svg("path", { class: "arrow-head", d: "M-18 17L14 0L-18 -17Z", transform: `translate(${ex} ${ey}) rotate(${(Math.atan2(uy, ux) * 180) / Math.PI})` }));
}

// ring is what a drop has in place of an arrow.
export const ring = ([cx, cy], outcome, name = "") => svg("circle", { class: `ring ${outcome ?? ""} ${name}`, cx, cy, r: 43 });

// Shapes tell outcomes apart without their colours: a piece that points up wins, one that points down loses.
const shapes = {
  win: "M0 -23L14 -16L20 19Q0 22 -20 19L-14 -16Z",
  loss: "M0 23L14 16L20 -19Q0 -22 -20 -19L-14 16Z",
  draw: "M-19 0A19 19 0 0 1 19 0A19 19 0 0 1 -19 0Z",
};

// target shows where a held piece can go: {outcome, label} of the best move there, larger if it is best of all; a dot where
// nothing is known. small leaves room for the piece that would be captured.
export function target(move, best, x, y, small) {
  if (!move) {
    return small ? ring([x, y]) : svg("circle", { class: "dot", cx: x, cy: y, r: 13 });
  }
  const { outcome, label } = move;
  const scale = small ? 0.78 : best ? 1.22 : 1;
  const group = svg("g", { class: `dot ${outcome} ${best ? "best" : ""}`, transform: `translate(${small ? x + 33 : x} ${small ? y - 31 : y}) scale(${scale})` },
    svg("path", { d: shapes[outcome] }), text(label.length > 2 ? "label long" : "label", 0, { win: 9.500, draw: 7.500, loss: 5.500 }[outcome], label));
  return small ? svg("g", {}, ring([x, y], outcome), group) : group;
}
