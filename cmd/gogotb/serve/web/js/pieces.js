// The two piece sets, drawn as SVG in a square of 100 by 100: Japanese characters,
// and symbols that show how a piece moves. A piece is written as in SFEN: "R", "+r"; capital
// letters are Sente's. Pieces point up here; whoever draws the board turns them.

import { glyph } from "./brush.js";

const svgSpace = "http://www.w3.org/2000/svg";

// svg makes an SVG element with attributes and children.
export function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS(svgSpace, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

const characters = {
  k: "王", K: "玉", R: "飛", B: "角", G: "金", S: "銀", P: "歩",
  "+R": "竜", "+B": "馬", "+S": "全", "+P": "と",
};

// Sizes tell strong pieces from weak ones, as on a real board.
const sizes = { K: 1, R: 0.97, B: 0.97, G: 0.93, S: 0.93, P: 0.86 };

const wedge = "M50 5L77 17L89 94Q50 97.5 11 94L23 17Z";
const wedgeLight = "M50 8L75 19L76.5 28L50 16L23.5 28L25 19Z";

// drawPiece is a group with the piece in it, in the set "japanese" or "international". Its shadow falls
// down also where the whole is going to be turned.
export function drawPiece(piece, set, turn = 0) {
  const kind = piece.toUpperCase();
  const promoted = kind.length > 1;
  const size = sizes[kind.at(-1)];
  const place = `translate(50 52) scale(${size}) translate(-50 -52)`;
  const group = svg("g", { class: `piece${promoted ? " promoted" : ""}`, transform: place });
  group.append(
    svg("path", { class: "piece-shadow", d: wedge, transform: turn === 180 ? "translate(-1.5 -3.5)" : "translate(1.5 3.5)" }),
    svg("path", { class: "piece-body", d: wedge }),
    svg("path", { class: "piece-light", d: wedgeLight }),
  );
  group.append(set === "international" ? symbol(kind) : character(piece, kind));
  return group;
}

function character(piece, kind) {
  return svg("path", {
    class: "piece-ink",
    transform: "translate(20 25.5) scale(.6 .66)",
    d: glyph(characters[piece] ?? characters[kind]),
  });
}

// How pieces move: directions from the upper left clockwise, "s" a step and "l" a line.
const directions = [[-1, -1], [0, -1], [1, -1], [1, 0], [1, 1], [0, 1], [-1, 1], [-1, 0]];
const gold = "ssss.s.s";
const ways = {
  K: "ssssssss", R: ".l.l.l.l", B: "l.l.l.l.", G: gold, S: "sss.s.s.", P: ".s......",
  "+R": "slslslsl", "+B": "lslslsls", "+S": gold, "+P": gold,
};

// The pictures in the middle: a crown, a tower, a mitre, a sun, a moon, a foot soldier.
const pictures = {
  K: "M33 70L31 46L41 55L50 39L59 55L69 46L67 70Z",
  R: "M35 71V65H39V53H35V41H41V45H46V41H54V45H59V41H65V53H61V65H65V71Z",
  B: "M37 71V66H63V71ZM39 63Q33 52 50 38Q67 52 61 63ZM48 48V52H44V55.5H48V60H52V55.5H56V52H52V48Z",
  G: "M50 38L54 46.5L62.7 43.3L59.5 52L68 56L59.5 60L62.7 68.7L54 65.5L50 74L46 65.5L37.3 68.7L40.5 60L32 56L40.5 52L37.3 43.3L46 46.5Z",
  S: "M57 39A18 18 0 1 0 66 64A14 14 0 1 1 57 39Z",
  P: "M50 41A7 7 0 0 1 54.5 53.3L59 67H62V71H38V67H41L45.5 53.3A7 7 0 0 1 50 41Z",
};

function symbol(kind) {
  const group = svg("g", { class: "piece-symbol" });
  group.append(svg("path", { class: "piece-ink", "fill-rule": "evenodd", d: pictures[kind.at(-1)], transform: "translate(50 58) scale(1.14) translate(-50 -57)" }));
  [...ways[kind]].forEach((way, i) => {
    if (way === ".") return;
    const [dx, dy] = directions[i];
    const x = 50 + dx * (dy < 0 ? 22 : 26);
    const y = dy < 0 ? (dx === 0 ? 25.5 : 32) : dy > 0 ? 84 : 57;
    group.append(way === "s"
      ? svg("circle", { class: "piece-way", cx: x, cy: y, r: 3.6 })
      : svg("path", { class: "piece-way", d: "M-6 5L0 -6L6 5Z", transform: `translate(${x} ${y}) rotate(${(Math.atan2(dx, -dy) * 180) / Math.PI})` }));
  });
  return group;
}
