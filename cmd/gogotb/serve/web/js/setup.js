// The panel for setting up a position: the board can be edited while it is open.

import { handicaps, copy, emptyPosition, format, fromText, kindOf, kinds, mirrored, ownedBy, parse, start, rotated } from "./sfen.js";
import { drawPiece, svg } from "./pieces.js";
import { settings } from "./settings.js";
import { disable, make, sideName, t } from "./words.js";
import { pieceName } from "./notation.js";

const spares = ["K", "R", "B", "G", "S", "P", "+R", "+B", "+S", "+P"];

// changes are what buttons make of a position, by their names.
const changes = { clear: emptyPosition, mirror: mirrored, swap: rotated };

export class SetupPanel {
  constructor(app, board, element) {
    Object.assign(this, { app, board, element, tool: null });
    app.on("tab", () => {
      this.tool = null;
      this.show();
    });
    app.on("position", () => this.fill());
    app.on("answer", () => this.fill());
  }

  get open() {
    return this.app.tab === "setup";
  }

  show() {
    if (!this.open) return;
    const button = (name, action) => make("button", { type: "button", id: name, onclick: action }, t(name));
    const change = (name) => button(name, () => this.set(changes[name](this.app.game.position)));
    this.turn = ["b", "w"].map((side) => make("input", { type: "radio", name: "turn", value: side, id: `turn-${side}`, onchange: () => this.set({ ...copy(this.app.game.position), turn: side }) }));
    const starts = make("select", { id: "starts", "aria-label": t("startsLabel"), onchange: () => starts.value && this.set(parse(starts.value)) },
      make("option", { value: "" }, t("starts")), make("option", { value: start }, t("evenGame")),
      ...handicaps.map(([name, sfen]) => make("option", { value: sfen }, t(`handicap.${name}`))));
    this.box = make("input", { id: "sfen", type: "text", spellcheck: "false", autocomplete: "off", autocapitalize: "off" });
    this.problem = make("p", { class: "problem", id: "sfen-problem", role: "status", "aria-live": "polite" });
    const form = make("form", { class: "sfen", onsubmit: (event) => {
      event.preventDefault();
      this.readBox();
    } }, make("label", { for: "sfen" }, "SFEN"), this.box, make("button", {}, t("show")));
    this.element.replaceChildren(
      make("div", { class: "spares", role: "group", "aria-label": t("spares") }, ...["w", "b"].map((side) => this.spareRow(side)), this.tools()),
      make("p", { class: "quiet" }, t("setupHelp")),
      make("fieldset", { class: "turns" }, make("legend", {}, t("toMove")), ...["b", "w"].map((side, i) => make("label", {}, this.turn[i], sideName(side)))),
      make("div", { class: "buttons" }, starts,
        ...Object.keys(changes).map(change)),
      form, this.problem,
      make("div", { class: "buttons" }, make("button", { type: "button", class: "primary", id: "setup-done", onclick: () => document.getElementById("tab-moves").click() }, t("done"))),
    );
    this.fill();
  }

  spareRow(side) {
    return make("div", { class: "spare-row" }, ...spares.map((kind) => {
      const piece = ownedBy(side, kind);
      const picture = svg("svg", { viewBox: "0 0 100 100", "aria-hidden": "true" });
      const turned = (side === "w") !== settings.flipped;
      picture.append(svg("g", turned ? { transform: "rotate(180 50 50)" } : {}, drawPiece(piece, settings.pieces, turned ? 180 : 0)));
      return make("button", {
        type: "button", class: "spare", "data-piece": piece, "aria-pressed": String(this.tool === piece), "aria-label": `${sideName(side)}: ${pieceName(piece)}`,
        onclick: () => this.take(this.tool === piece ? null : piece),
        onpointerdown: (event) => this.lift(event, piece),
      }, picture);
    }));
  }

  tools() {
    return make("div", { class: "spare-row" },
      make("button", { type: "button", class: "tool", "data-piece": "erase", "aria-pressed": String(this.tool === "erase"), onclick: () => this.take(this.tool === "erase" ? null : "erase") }, t("erase")));
  }

  take(tool) {
    this.tool = tool;
    for (const b of this.element.querySelectorAll("[data-piece]")) b.setAttribute("aria-pressed", String(b.dataset.piece === tool));
  }

  // lift begins to drag a spare piece as soon as the pointer moves.
  lift(event, piece) {
    if (event.button !== 0) return;
    const { clientX, clientY } = event;
    const move = (e) => {
      if (Math.hypot(e.clientX - clientX, e.clientY - clientY) < 6) return;
      end();
      this.take(null);
      this.board.drag(piece, e);
    };
    const end = () => {
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", end);
      removeEventListener("pointercancel", end);
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", end);
    addEventListener("pointercancel", end);
  }

  // fill brings side to move, SFEN and problem up to date.
  fill() {
    if (!this.open || !this.box) return;
    const { position } = this.app.game;
    for (const input of this.turn) input.checked = input.value === position.turn;
    if (document.activeElement !== this.box) this.box.value = format(position);
    const { answer } = this.app;
    if (answer) this.problem.textContent = answer.state === "ok" ? "" : answer.message;
    const useless = ([name, change]) => [name, format(change(position), false) === format(position, false)];
    disable(Object.fromEntries(Object.entries(changes).map(useless)), this.element);
  }

  set(position) {
    this.app.edit({ ...position, number: 1 });
  }

  readBox() {
    const position = fromText(this.box.value);
    if (!position) {
      this.problem.textContent = t("notSfen");
      return;
    }
    this.box.blur();
    this.fill();
    this.app.edit(position);
  }

  // What the board asks for.

  spare() {
    return this.tool;
  }

  put(place, piece = this.tool) {
    const position = copy(this.app.game.position);
    if (piece === "erase") {
      this.remove(place);
      return;
    }
    if (typeof place === "string") {
      if (!addToHand(position, place[0], piece)) return;
    } else {
      if (kindOf(piece) === "K") position.board = position.board.map((p) => (p === piece ? null : p));
      position.board[place] = position.board[place] === piece && piece === this.tool ? null : piece;
    }
    this.set(position);
  }

  remove(place) {
    const position = copy(this.app.game.position);
    take(position, place);
    this.set(position);
  }

  // transfer moves a piece to another square or to a hand; to null it goes off the board.
  transfer(from, to) {
    const position = copy(this.app.game.position);
    const piece = take(position, from);
    if (typeof to === "number") position.board[to] = piece;
    else if (to !== null && !addToHand(position, to[0], piece)) return;
    this.set(position);
  }
}

function take(position, place) {
  if (typeof place === "number") {
    const piece = position.board[place];
    position.board[place] = null;
    return piece;
  }
  const hand = position.hands[place[0]];
  if (hand[place[1]] === 0) return null;
  hand[place[1]]--;
  return ownedBy(place[0], place[1]);
}

function addToHand(position, side, piece) {
  const kind = kindOf(piece);
  if (!kinds.includes(kind) || position.hands[side][kind] === 2) return false;
  position.hands[side][kind]++;
  return true;
}
