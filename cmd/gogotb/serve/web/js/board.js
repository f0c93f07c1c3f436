// The board with both hands: one SVG that is drawn anew for every position, moved on by mouse, finger
// and keyboard. It knows nothing of the rules: which moves there are it is told.
//
// A place is a square, 0..24, or a kind in a hand, "bR".

import { arrow, ring, target, text } from "./marks.js";
import { drawPiece, svg } from "./pieces.js";
import { kinds, moveParts, owner, ownedBy, squareName } from "./sfen.js";

const size = 100; // of a square
const left = 22;
const top = 128;
const handHeight = 88;
const handTop = { upper: 4, lower: 656 };
const dragThreshold = 6; // pixels

export class Board {
  // hooks: move(place, square), refused(place, square), describe(place), and for the set-up
  // mode transfer(place, place or null), spare(), put(place), remove(place).
  constructor(element, hooks) {
    this.element = element;
    this.hooks = hooks;
    this.selected = null;
    this.focus = 0;
    this.view = { position: null };
    element.addEventListener("pointerdown", (e) => this.pressed(e));
    element.addEventListener("pointermove", (e) => this.dragged(e));
    element.addEventListener("pointerup", (e) => this.released(e));
    element.addEventListener("pointercancel", () => this.endDrag());
    // a finger on a piece moves the piece, not the page
    element.addEventListener("touchstart", (e) => this.canLift(this.placeUnder(e.touches[0])) && e.preventDefault(), { passive: false });
    element.addEventListener("keydown", (e) => this.typed(e));
    // what a screen reader sends instead of a pointer
    element.addEventListener("click", (e) => e.detail === 0 && this.activate(this.placeOf(e.target)));
    // on what is around it: with such a listener, a drawing as a whole can have the focus
    element.parentElement.addEventListener("focusin", (e) => this.focused(this.placeOf(e.target)));
  }

  // show draws a view: {position, moves, arrows, last, check, flipped, pieces, editing, still, ranks, label}.
  // moves: Map of USI to {outcome, label, tier, meaning}, for the mover, or to null if that is not to be shown; label is
  // short, and tier the number of moves that are better. arrows are the moves to point at while none is held or pointed at.
  show(view, animate = false) {
    const before = this.view;
    // an answer that arrives while a piece is held does not knock it out of the hand
    const same = ["position", "editing", "flipped", "still"].every((key) => before[key] === view[key]);
    if (!same) {
      this.endDrag();
      this.selected = null;
    }
    this.view = view;
    const hadFocus = this.element.contains(document.activeElement);
    this.draw();
    if (hadFocus) this.cells.get(this.focus)?.focus();
    if (animate && view.last) this.slide(view.last, before.flipped === view.flipped);
  }

  // point shows a move without making it; without one it ends that.
  point(usi, outcome) {
    this.arrows.replaceChildren();
    if (usi) this.arrows.append(...this.pointer(usi, outcome, true));
    else if (this.selected === null) for (const [move, of] of this.view.arrows ?? []) this.arrows.append(...this.pointer(move, of, false));
  }

  // pointer shows a move; a drop comes from the hand only while it is pointed at.
  pointer(usi, outcome, whole) {
    const { drop, from, to } = moveParts(usi);
    const mover = this.view.position.turn;
    const name = whole ? "pointed" : "advice";
    if (!drop) return [arrow(this.center(from), this.center(to), outcome, name)];
    const piece = this.pieceAt(ownedBy(mover, drop), ...this.center(to), "hint");
    return [piece, whole ? arrow(this.center(mover + drop), this.center(to), outcome, name) : ring(this.center(to), outcome, name)];
  }

  // hint shows which piece is to move, and not where.
  hint(usi) {
    const { drop, from } = moveParts(usi);
    this.arrows.replaceChildren(ring(this.center(drop ? this.view.position.turn + drop : from), "win", "pointed"));
  }

  // Where things are.

  corner(place) {
    const turned = this.view.flipped;
    if (typeof place === "number") {
      const i = turned ? 24 - place : place;
      return [left + size * (i % 5), top + size * Math.floor(i / 5)];
    }
    const row = (place[0] === "b") !== Boolean(turned) ? "lower" : "upper";
    return [left + size * kinds.indexOf(place[1]), handTop[row] + (handHeight - size) / 2];
  }

  center(place) {
    const [x, y] = this.corner(place);
    return [x + size / 2, y + size / 2];
  }

  placeOf(target) {
    const place = target.closest?.("[data-place]")?.dataset.place;
    return place === undefined ? null : /^\d/.test(place) ? Number(place) : place;
  }

  placeUnder(event) {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.element.getScreenCTM().inverse());
    const column = Math.floor((at.x - left) / size);
    if (column < 0 || column > 4) return null;
    return this.placeIn(at.y >= top && at.y < top + 5 * size ? Math.floor((at.y - top) / size)
      : Math.abs(at.y - handTop.upper - handHeight / 2) <= handHeight / 2 ? -1
      : Math.abs(at.y - handTop.lower - handHeight / 2) <= handHeight / 2 ? 5 : NaN, column);
  }

  // placeIn is the place in a row as it is seen: -1 the upper hand, 0..4 the board, 5 the lower.
  placeIn(row, column) {
    if (Number.isNaN(row)) return null;
    if (row >= 0 && row < 5) return this.view.flipped ? 24 - 5 * row - column : 5 * row + column;
    return ((row === 5) !== Boolean(this.view.flipped) ? "b" : "w") + kinds[column];
  }

  // rowOf is the reverse: [row, column] as they are seen.
  rowOf(place) {
    const [x, y] = this.corner(place);
    const row = typeof place === "number" ? (y - top) / size : y > top ? 5 : -1;
    return [row, (x - left) / size];
  }

  pieceOn(place) {
    const { position } = this.view;
    if (typeof place === "number") return position.board[place];
    return position.hands[place[0]][place[1]] > 0 ? ownedBy(place[0], place[1]) : null;
  }

  // Moves.

  // targets are the squares that a piece can go to, with the best move there, as in view.moves.
  targets(place) {
    const from = typeof place === "number" ? squareName(place) : `${place[1]}*`;
    const squares = new Map();
    if (this.view.editing || (typeof place === "string" && place[0] !== this.view.position.turn)) return squares;
    for (const [usi, move] of this.view.moves ?? []) {
      if (!usi.startsWith(from)) continue;
      const { to } = moveParts(usi);
      const known = squares.get(to);
      if (!squares.has(to) || (move && (!known || move.tier < known.tier))) squares.set(to, move);
    }
    return squares;
  }

  canLift(place) {
    if (place === null || this.view.still) return false;
    const piece = this.pieceOn(place);
    return piece !== null && (this.view.editing || owner(piece) === this.view.position.turn);
  }

  select(place) {
    this.selected = place;
    this.marks();
  }

  activate(place) {
    if (place === null) return;
    if (this.view.editing) {
      if (this.hooks.spare()) this.hooks.put(place);
      else if (this.selected !== null && this.selected !== place) this.carry(this.selected, place);
      else this.select(this.selected === place || !this.canLift(place) ? null : place);
      return;
    }
    if (this.selected === place) this.select(null);
    else if (this.selected !== null && !this.canLift(place)) this.carry(this.selected, place);
    else this.select(this.canLift(place) ? place : null);
  }

  // carry takes what is on a place to another one, or off the board.
  carry(from, to) {
    const squares = this.targets(from);
    this.select(null);
    if (this.view.editing) this.hooks.transfer(from, to);
    else if (squares.has(to)) this.hooks.move(from, to);
    else if (typeof to === "number") this.hooks.refused(from, to);
  }

  // Pointers.

  pressed(event) {
    if (event.button !== 0 || !event.isPrimary) return;
    const place = this.placeUnder(event);
    const lifted = this.canLift(place) && !(this.view.editing && this.hooks.spare());
    this.press = { place, x: event.clientX, y: event.clientY, lifted, again: this.selected === place };
    if (!lifted) return;
    this.element.setPointerCapture(event.pointerId);
    if (this.view.editing && this.selected !== null) return;
    this.select(place);
  }

  dragged(event) {
    const { press } = this;
    if (!press?.lifted) return;
    if (!press.ghost) {
      if (Math.hypot(event.clientX - press.x, event.clientY - press.y) < dragThreshold) return;
      this.select(press.place);
      press.ghost = this.lift(this.pieceOn(press.place), event);
      this.pieces.querySelector(`[data-on="${press.place}"]`)?.classList.add("lifted");
    }
    this.follow(press.ghost, event);
  }

  released(event) {
    const { press } = this;
    this.endDrag();
    if (!press) return;
    if (press.ghost) {
      const to = this.placeUnder(event);
      if (to === press.place || (to === null && !this.view.editing)) this.marks();
      else this.carry(press.place, to);
    } else if (!press.lifted || press.again || (this.view.editing && this.selected !== press.place)) {
      this.activate(press.place);
    }
  }

  endDrag() {
    this.press?.ghost?.remove();
    this.press = null;
    this.pieces?.querySelector(".lifted")?.classList.remove("lifted");
    for (const cell of this.cells?.values() ?? []) cell.classList.remove("over");
  }

  // drag lets a piece from outside, a spare one, be dragged here.
  drag(piece, event) {
    const ghost = this.lift(piece, event);
    const follow = (e) => this.follow(ghost, e);
    const end = (e) => {
      ghost.remove();
      removeEventListener("pointermove", follow);
      removeEventListener("pointerup", end);
      removeEventListener("pointercancel", end);
      this.endDrag();
      const to = this.placeUnder(e);
      if (e.type === "pointerup" && to !== null) this.hooks.put(to, piece);
    };
    addEventListener("pointermove", follow);
    addEventListener("pointerup", end);
    addEventListener("pointercancel", end);
  }

  lift(piece, event) {
    const width = this.element.getBoundingClientRect().width * (size / 560) * 1.1;
    const ghost = svg("svg", { class: "ghost", viewBox: "0 0 100 100", width, height: width, "aria-hidden": "true" });
    ghost.append(this.pieceAt(piece, 50, 50));
    document.body.append(ghost);
    this.follow(ghost, event);
    return ghost;
  }

  follow(ghost, event) {
    const { width, height } = ghost.getBoundingClientRect();
    ghost.style.transform = `translate(${event.clientX - width / 2}px, ${event.clientY - height / 2}px)`;
    const under = this.placeUnder(event);
    for (const [place, cell] of this.cells) cell.classList.toggle("over", place === under);
  }

  // Keyboard.

  focused(place) {
    if (place === null || place === this.focus) return;
    this.cells.get(this.focus)?.setAttribute("tabindex", "-1");
    this.focus = place;
    this.cells.get(place).setAttribute("tabindex", "0");
  }

  typed(event) {
    const place = this.placeOf(event.target);
    if (place === null || event.ctrlKey || event.altKey || event.metaKey) return;
    const [row, column] = this.rowOf(place);
    const go = (r, c) => this.cells.get(this.placeIn(Math.min(Math.max(r, -1), 5), Math.min(Math.max(c, 0), 4))).focus();
    const keys = {
      ArrowUp: () => go(row - 1, column),
      ArrowDown: () => go(row + 1, column),
      ArrowLeft: () => go(row, column - 1),
      ArrowRight: () => go(row, column + 1),
      Enter: () => this.activate(place),
      Escape: () => this.select(null),
    };
    if (this.view.editing) {
      keys.Delete = keys.Backspace = () => this.hooks.remove(place);
      keys[" "] = keys.Enter;
    }
    if (!keys[event.key]) return;
    keys[event.key]();
    event.preventDefault();
    event.stopPropagation();
  }

  // Drawing.

  draw() {
    const { position, label } = this.view;
    const layer = (name) => svg("g", { class: name, "aria-hidden": "true" });
    this.under = layer("marks");
    this.pieces = layer("pieces");
    this.over = layer("dots");
    this.arrows = layer("arrows");
    this.cells = new Map();
    this.element.setAttribute("aria-label", label);
    this.element.replaceChildren(this.ground(), this.under, this.pieces, this.over, this.arrows, ...this.grid());
    for (let square = 0; square < 25; square++) {
      const piece = position.board[square];
      if (piece) this.put(piece, square);
    }
    for (const side of ["w", "b"]) {
      for (const kind of kinds) {
        const n = position.hands[side][kind];
        const place = side + kind;
        this.put(ownedBy(side, kind), place, n === 0 ? "absent" : "");
        if (n > 1) {
          const [x, y] = this.center(place);
          this.pieces.append(svg("circle", { class: "count", cx: x + 31, cy: y + 26, r: 15 }), text("count-text", x + 31, y + 33, n));
        }
      }
    }
    if (this.press?.ghost) this.pieces.querySelector(`[data-on="${this.press.place}"]`)?.classList.add("lifted");
    this.marks();
  }

  put(piece, place, className = "") {
    const [x, y] = this.center(place);
    const element = this.pieceAt(piece, x, y, className, typeof place === "number" ? 0.94 : 0.82);
    element.dataset.on = place;
    this.pieces.append(element);
  }

  pieceAt(piece, x, y, className = "", scale = 0.94) {
    const turn = (owner(piece) === "w") !== Boolean(this.view.flipped) ? 180 : 0;
    const inner = svg("g", { transform: `translate(${x} ${y}) rotate(${turn}) scale(${scale}) translate(-50 -51)` }, drawPiece(piece, this.view.pieces, turn));
    return svg("g", { class: `man ${className}` }, inner);
  }

  // ground is the wood, the lines and the names of files and ranks.
  ground() {
    const { flipped, position, ranks } = this.view;
    const group = svg("g", { "aria-hidden": "true" }, colours());
    for (const y of Object.values(handTop)) {
      group.append(svg("rect", { class: "stand", x: left - 8, y, width: 516, height: handHeight, rx: 10 }));
    }
    group.append(
      svg("rect", { class: "wood-shadow", x: left - 5, y: top - 3, width: 516, height: 516, rx: 9 }),
      svg("rect", { class: "wood", x: left - 8, y: top - 8, width: 516, height: 516, rx: 8 }),
    );
    let lines = "";
    for (let i = 0; i <= 5; i++) {
      lines += `M${left + size * i} ${top}v500M${left} ${top + size * i}h500`;
    }
    group.append(svg("path", { class: "lines", d: lines }));
    for (let i = 0; i < 5; i++) {
      const n = flipped ? 4 - i : i;
      group.append(text("coordinate", left + size * i + 50, top - 14, 5 - n), text("coordinate", left + 523, top + size * i + 57, ranks[n]));
    }
    for (const side of ["b", "w"]) {
      const lower = (side === "b") !== Boolean(flipped);
      const y = handTop[lower ? "lower" : "upper"] + handHeight / 2;
      const mark = svg("g", { class: `mover ${side} ${position.turn === side ? "to-move" : ""}`, transform: `translate(${left + 524} ${y}) rotate(${lower ? 0 : 180})` });
      mark.append(svg("circle", { r: 15.5 }), svg("path", { d: "M0 -9.5L6 -6.5L8.5 8.5H-8.5L-6 -6.5Z" }));
      group.append(mark);
    }
    return group;
  }

  // grid is what can be focused and is read aloud: the board row by row, and the two hands.
  grid() {
    const row = (r) => {
      const group = svg("g", { role: "row" });
      for (let column = 0; column < 5; column++) {
        const place = this.placeIn(r, column);
        const [x, y] = this.corner(place);
        const cell = svg("g", {
          role: "gridcell", class: "cell", "data-place": place, tabindex: place === this.focus ? 0 : -1,
        });
        const inset = typeof place === "number" ? 0 : (size - handHeight) / 2;
        const frame = (d, name) => svg("rect", { class: name, x: x + d, y: y + inset + d, width: size - 2 * d, height: size - 2 * inset - 2 * d, rx: 4 });
        cell.append(frame(1, "hit"), frame(5, "focus-far"), frame(5, "focus-near"));
        cell.classList.toggle("liftable", this.canLift(place));
        this.cells.set(place, cell);
        group.append(cell);
      }
      return group;
    };
    return [-1, 0, 1, 2, 3, 4, 5].map(row);
  }

  // marks shows the last move, check, what is selected and where it can go.
  marks() {
    const { last, check, position } = this.view;
    this.under.replaceChildren();
    this.over.replaceChildren();
    const mark = (place, name) => {
      const [x, y] = this.corner(place);
      const inset = typeof place === "number" ? 1 : 7;
      this.under.append(svg("rect", { class: name, x: x + 1, y: y + inset, width: size - 2, height: size - 2 * inset, rx: 2 }));
    };
    if (last) {
      const { from, to } = moveParts(last);
      if (from !== null) mark(from, "last");
      mark(to, "last");
    }
    if (check) {
      const [x, y] = this.center(position.board.indexOf(ownedBy(position.turn, "K")));
      this.under.append(svg("circle", { class: "check", cx: x, cy: y, r: 54 }));
    }
    const targets = this.selected === null ? new Map() : this.targets(this.selected);
    for (const [place, cell] of this.cells) {
      cell.setAttribute("aria-selected", String(place === this.selected));
      cell.setAttribute("aria-label", this.hooks.describe(place, targets.has(place), targets.get(place)?.meaning));
    }
    this.point(null);
    if (this.selected === null) return;
    mark(this.selected, "selected");
    const tiers = [...targets.values()].map((move) => move?.tier ?? Infinity);
    const best = Math.min(...tiers);
    const differ = tiers.some((tier) => tier > best);
    for (const [square, move] of targets) {
      this.over.append(target(move, differ && move?.tier === best, ...this.center(square), position.board[square] !== null));
    }
  }

  // slide lets the piece that has just moved come from where it was.
  slide(usi, sameSide) {
    if (!sameSide || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const { drop, from, to } = moveParts(usi);
    const mover = owner(this.view.position.board[to]);
    const [x, y] = this.center(drop ? mover + drop : from);
    const [tx, ty] = this.center(to);
    const man = this.pieces.querySelector(`[data-on="${to}"]`);
    this.pieces.append(man);
    man.animate([{ transform: `translate(${x - tx}px, ${y - ty}px)` }, { transform: "none" }], { duration: 160, easing: "ease-out" });
  }
}

// colours that change from place to place: the wood in a light from the upper left, and the glow
// behind a king in check.
function colours() {
  const stop = (offset, name) => svg("stop", { offset, class: name });
  return svg("defs", {},
    svg("linearGradient", { id: "wood", x1: 0, y1: 0, x2: 0.6, y2: 1 }, stop(0, "wood-near"), stop(1, "wood-far")),
    svg("radialGradient", { id: "glow" }, stop(0.55, "glow-near"), stop(1, "glow-far")));
}
