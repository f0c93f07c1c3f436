// The moves played: below the board, from the start of the game to the end of the line, named and coloured by what they are
// worth, each a link to the position that it led to.

import { get, post } from "./api.js";
import { bestOutcome, knownTables, opposite, rule } from "./answer.js";
import { linkTo } from "./link.js";
import { moveText } from "./notation.js";
import { bothKings, format, material } from "./sfen.js";
import { make, t } from "./words.js";

const most = 500; // positions that are asked about at a time

export class Played {
  constructor(app, element) {
    Object.assign(this, { app, element, values: new Map(), rule: "" });
    app.on("position", () => this.show());
    app.on("found", () => {
      const { found, sfen } = app.answer;
      if (found.dtm !== null) this.keep(sfen, found);
      this.show();
    });
    app.on("answer", () => {
      const { answer } = app;
      if (answer.value) this.keep(answer.sfen, answer.value);
      this.show();
      this.complete();
    });
  }

  // held tells whether moves of the game can be gone to; while one practises or solves a puzzle they cannot.
  get held() {
    return this.app.hideValues;
  }

  keep(sfen, value) {
    const now = JSON.stringify(rule());
    if (now !== this.rule) this.values.clear();
    this.rule = now;
    this.values.set(sfen, value);
  }

  valueOf(node) {
    return this.held || JSON.stringify(rule()) !== this.rule ? undefined : this.values.get(format(node.position));
  }

  show() {
    const { app, element } = this;
    const { line, node: here } = app.game;
    const typing = element.querySelector(":focus-visible") !== null;
    element.replaceChildren(...(line.length < 2 ? [] : line.map((node) => make("li", {}, this.entry(node, node === here)))));
    const current = element.querySelector("[aria-current]");
    if (!current) return;
    element.scrollLeft = current.offsetLeft - (element.clientWidth - current.offsetWidth) / 2; // and nothing else scrolls
    if (typing) (element.querySelector("a[aria-current]") ?? element.querySelector("a"))?.focus({ preventScroll: true });
  }

  entry(node, here) {
    const { app } = this;
    const current = here ? "step" : undefined;
    if (node.parent === null) return this.link(node, { class: "start", "aria-current": current, "aria-label": t("startOfGame"), title: t("startOfGame") }, "•");
    if (node.move === undefined) return this.link(node, { class: "start", "aria-current": current }, t("edited"));
    const [before, after] = [this.valueOf(node.parent), this.valueOf(node)];
    const outcome = after ? opposite[after.category] : "";
    const lost = before && after && bestOutcome[before.category] > bestOutcome[outcome];
    const mark = node.parent.position.turn === "b" ? "▲" : "△";
    const names = { usi: node.move, western: node.western ?? node.move, japanese: node.japanese ?? node.move };
    const text = moveText(names, node.parent.move);
    const meaning = lost ? t(`threwAway.${before.category}.${outcome}`) : outcome ? t(`group.${outcome}`) : "";
    return this.link(node, { class: outcome, "aria-current": current, title: meaning || undefined },
      make("span", { class: "mark", "aria-hidden": "true" }, mark), text, lost ? "?" : "",
      meaning ? make("span", { class: "heard" }, `, ${meaning}`) : null);
  }

  // link is a place in the game, which can be gone to unless it is held.
  link(node, attributes, ...children) {
    return this.held ? make("span", attributes, ...children) : linkTo(this.app, node.position, attributes, () => this.app.visit(node), ...children);
  }

  // complete asks for the values of positions that have not been shown, and for names of moves that were played before they
  // were known.
  async complete() {
    const { app } = this;
    const { line } = app.game;
    if (this.held || line.length < 2) return;
    const { shown } = app;
    const nameless = line.findIndex((node) => node.move !== undefined && !node.japanese);
    try {
      if (nameless > 0 && line.every((node) => node.parent === null || node.move !== undefined)) {
        const { moves } = await get("game", { sfen: format(line[0].position), moves: line.slice(1).map((node) => node.move).join(","), names: true }, shown);
        moves.forEach(({ western, japanese }, i) => Object.assign(line[i + 1], { western, japanese }));
        this.show();
      }
      const tables = await knownTables();
      const wanted = line.map((node) => node.position).filter((p) => bothKings(p) && tables.has(material(p)) && !this.values.has(format(p))).slice(0, most);
      if (wanted.length === 0) return;
      const positions = wanted.map((p) => format(p));
      const { answers } = await post("probe", JSON.stringify({ positions, ...rule() }), shown);
      answers.forEach((answer, i) => answer.category && this.keep(positions[i], answer));
      this.show();
    } catch {
      // then they have no colours, until they are shown
    }
  }
}
