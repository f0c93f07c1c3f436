// The moves of a game in a list: the line that was played first in two columns, variations between, each move with its
// judgement and the value of the position behind it.

import { judged, valueOf } from "./game-review.js";
import { moveText } from "./notation.js";
import { notation, settings } from "./settings.js";
import { make, sideName, t } from "./words.js";

const deepest = 8; // variations inside variations that are shown

// nameOf is the move that led to a node as it is written.
export function nameOf(node) {
  const { move, western = move, japanese = move } = node;
  return move === undefined ? t("edited") : moveText({ usi: move, western, japanese }, node.parent.move);
}

const moverOf = (node) => node.parent.position.turn;

// sideMark is the triangle of a side, and its name for who hears it.
export const sideMark = (side) => make("span", { class: "mark" }, make("span", { "aria-hidden": "true" }, side === "b" ? "▲" : "△"), make("span", { class: "heard" }, `${sideName(side)} `));

export class GameList {
  constructor(app, element) {
    Object.assign(this, { app, element, buttons: new Map(), shown: "" });
    element.addEventListener("keydown", (event) => this.typed(event));
  }

  // show draws the list if there is something new in it, and marks the position that is shown on the board.
  show() {
    const { game } = this.app;
    const { nodes } = game;
    const state = [game.id, nodes.length, settings.language, notation()].join(" ");
    if (state !== this.shown || !nodes.every((node) => node === game.root || this.buttons.has(node))) {
      this.shown = state;
      this.buttons = new Map();
      this.element.replaceChildren(...this.notes(game.root), ...this.line(game.root, 0));
    }
    for (const node of this.buttons.keys()) this.judge(node);
    this.mark(game.node);
  }

  // mark shows where in the game the board is.
  mark(node) {
    const focused = this.element.contains(document.activeElement) && document.activeElement.matches("button");
    const entry = node.parent ? node : node.next ?? node.children[0];
    for (const [other, button] of this.buttons) {
      if (other === node) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
      button.tabIndex = other === entry ? 0 : -1; // one stop for the keyboard, and arrows from there
    }
    this.reveal(node);
    if (focused) this.buttons.get(entry)?.focus({ preventScroll: true });
  }

  // reveal scrolls the list, and nothing else, to a move and what is said below it.
  reveal(node) {
    const button = this.buttons.get(node);
    if (!button) {
      this.element.scrollTop = 0;
      return;
    }
    const { scrollTop, clientHeight } = this.element;
    const detail = this.element.querySelector(".game-detail");
    const end = detail ? detail.offsetTop + detail.offsetHeight : button.offsetTop + button.offsetHeight;
    if (end > scrollTop + clientHeight) this.element.scrollTop = Math.min(end - clientHeight, button.offsetTop);
    if (button.offsetTop < this.element.scrollTop) this.element.scrollTop = button.offsetTop;
  }

  // place puts an item below a move and what the file says there.
  place(item, node) {
    let last = this.buttons.get(node)?.closest("li");
    if (!last) return;
    while (last.nextElementSibling?.classList.contains("said")) last = last.nextElementSibling;
    last.after(item);
    this.reveal(node);
  }

  // line are the items of the moves from a node on, with the variations beside them.
  line(from, depth) {
    const items = [];
    for (let node = from; node.children.length > 0;) {
      const [next, ...others] = node.children;
      items.push(this.item(next), ...this.notes(next), ...others.map((other) => this.variation(other, depth + 1)));
      node = next;
    }
    return items;
  }

  variation(first, depth) {
    if (depth > deepest) return make("li", { class: "variation" }, this.button(first), " …");
    return make("li", { class: "variation" }, make("ol", { "aria-label": t("variation") }, this.item(first), ...this.notes(first), ...this.line(first, depth)));
  }

  item(node) {
    return make("li", { class: `made ${moverOf(node)}` }, this.button(node));
  }

  button(node) {
    const content = node.move === undefined ? [t("edited")]
      : [make("span", { class: "ply" }, String(node.ply)), " ", sideMark(moverOf(node)), make("span", { class: "name" }, nameOf(node)), " ", make("span", { class: "judged" }), " ", make("span", { class: "value" })];
    const button = make("button", { type: "button", class: "step", onclick: () => this.app.visit(node) }, ...content);
    this.buttons.set(node, button);
    return button;
  }

  // notes are what the file says of a position, and how a line ends there.
  notes(node) {
    const said = (node.comments ?? []).filter((line) => line.trim() !== "");
    const items = said.length > 0 ? [make("li", { class: "said" }, said.join("\n"))] : [];
    if (node.illegal) items.push(make("li", { class: "said wrong" }, t("illegalFollows", { move: node.illegal })));
    if (node.end) items.push(make("li", { class: "said end" }, endText(node)));
    return items;
  }

  // judge writes what a review has found beside a move.
  judge(node) {
    const button = this.buttons.get(node);
    if (!button || node.move === undefined) return;
    const mark = judged(node.review);
    const value = valueOf(node);
    const [judgement, worth] = [button.querySelector(".judged"), button.querySelector(".value")];
    judgement.textContent = mark?.short ?? "";
    button.dataset.judgement = mark?.kind ?? "";
    worth.textContent = (mark?.kind !== "allowed-mate" && value?.short) || ""; // which has said it
    worth.dataset.winner = value?.winner ?? "";
    button.title = [mark?.text, value?.text].filter(Boolean).join(" ");
  }

  // Arrows up and down go to what else was played in the same place.
  typed(event) {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    const { node } = this.app.game;
    if (!step || !node.parent || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    const { children } = node.parent;
    this.app.visit(children[(children.indexOf(node) + step + children.length) % children.length]);
  }
}

// endText is how a line is said to end.
export function endText(node) {
  const { code, text } = node.end;
  const { turn } = node.position;
  const words = t("ends")[code];
  return words ? words({ side: sideName(turn), other: sideName(turn === "b" ? "w" : "b") }) : text;
}
