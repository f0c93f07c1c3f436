// The panel of moves: the best line, and every legal move by its outcome.

import { aborted, get } from "./api.js";
import { rule } from "./answer.js";
import { linkTo } from "./link.js";
import { moveText } from "./notation.js";
import { settings } from "./settings.js";
import { play } from "./sfen.js";
import { make, t } from "./words.js";

const pace = 800; // milliseconds between the moves of a line that plays itself

export class MovesPanel {
  constructor(app, board, element) {
    Object.assign(this, { app, board, element });
    for (const event of ["answer", "found"]) app.on(event, () => this.show());
    app.on("position", () => {
      element.ariaBusy = "true"; // what is there is about the position before
      this.stopUnlessPlaying();
      this.board.point(null);
    });
  }

  show() {
    const { app, element } = this;
    const { answer } = app;
    if (!answer) return;
    element.ariaBusy = "false";
    this.asking?.abort();
    if (app.hideValues) {
      element.replaceChildren(make("p", { class: "quiet" }, t("hidden")));
      return;
    }
    const parts = [];
    if (answer.value && answer.moves.length > 0 && answer.value.by !== "repetition") {
      this.line = make("div", { class: "line" });
      this.line.style.minHeight = `${lineHeight(answer, element.clientWidth)}rem`; // what comes into it moves nothing
      parts.push(this.line);
      this.showLine(answer);
    }
    if (answer.value) {
      for (const outcome of ["win", "draw", "loss"]) {
        const moves = answer.moves.filter((m) => m.outcome === outcome);
        if (moves.length > 0) parts.push(this.group(outcome, moves, answer));
      }
    } else if (answer.moves.length > 0) { // what a search finds changes colours, and moves nothing
      parts.push(this.group(answer.found?.category === "loss" ? "loss" : "unknown", answer.moves, answer));
    }
    if (answer.value && answer.moves.length > 0) parts.push(make("p", { class: "quiet" }, t("legend")));
    if (parts.length === 0) parts.push(make("p", { class: "quiet" }, t(nothing(answer))));
    const typing = element.querySelector(":focus-visible") !== null;
    element.replaceChildren(...parts);
    if (typing) element.querySelector(".move")?.focus(); // who plays by keyboard goes on so
  }

  group(outcome, moves, answer) {
    return make("section", { class: `group ${outcome}` },
      make("h2", {}, t(`group.${outcome}`), " ", make("span", { class: "count" }, String(moves.length))),
      make("ul", {}, ...moves.map((m) => make("li", {}, this.link(m, answer)))));
  }

  link(move, answer) {
    const name = moveText(move, this.app.game.lastMove);
    const after = move.value ? distance(move.value) : "";
    const meaning = move.value ? spoken(move) : "";
    const seen = meaning.includes(after) ? "" : after; // a name has in it what is seen
    const point = () => this.app.answer === answer && this.board.point(move.usi, move.outcome);
    return linkTo(this.app, play(answer.position, move.usi), {
      class: `move ${move.outcome ?? ""}`, "data-usi": move.usi, title: meaning || undefined,
      "aria-label": [name, seen, meaning, move.value?.check ? t("check") : ""].filter(Boolean).join(", "),
      onpointerenter: point,
      onpointerleave: () => this.board.point(null),
      onfocus: point,
      onblur: () => this.board.point(null),
    }, () => this.app.answer === answer && this.app.play(move.usi),
    make("span", { class: "name" }, name), make("span", { class: "distance" }, after));
  }

  async showLine(answer) {
    const asking = (this.asking = new AbortController());
    let line;
    try {
      const found = await get("line", { sfen: answer.sfen, ...rule() }, asking.signal);
      line = found.line.map((usi, i) => ({ usi, western: found.western[i], japanese: found.japanese[i] }));
    } catch (error) {
      if (!aborted(error)) this.line.remove();
      return;
    }
    if (asking.signal.aborted) return;
    const list = make("ol", { class: "line-moves" });
    let { position } = answer;
    line.forEach((move, i) => {
      const text = moveText(move, i === 0 ? this.app.game.lastMove : undefined);
      const mark = position.turn === "b" ? "▲" : "△";
      position = play(position, move.usi);
      list.append(make("li", {}, linkTo(this.app, position, {}, () => this.playLine(answer, line.slice(0, i + 1), 0), make("span", { class: "mark", "aria-hidden": "true" }, mark), text)));
    });
    const button = make("button", { type: "button", id: "play-line", onclick: () => this.playLine(answer, line, pace) }, t("playLine"));
    this.line.replaceChildren(make("div", { class: "line-head" }, make("h2", {}, t("bestLine")), button), list);
    list.classList.toggle("long", list.scrollHeight > list.clientHeight);
  }

  // playLine plays moves one by one; anything else that changes the position ends it.
  async playLine(answer, line, wait) {
    if (this.app.answer !== answer) return; // it is about another position by now
    const run = (this.playing = {});
    for (const [n, { usi }] of line.entries()) {
      this.stepping = true;
      await this.app.play(usi, { push: n === 0 });
      this.stepping = false;
      if (wait > 0) await new Promise((done) => setTimeout(done, wait));
      if (this.playing !== run) return;
    }
    this.playing = null;
  }

  stopUnlessPlaying() {
    if (!this.stepping) this.playing = null;
  }
}

// lineHeight is the room in rem that a best line will need, by its length.
function lineHeight(answer, width) {
  const { dtm } = answer.value;
  const [head, row, move] = [3, 2.1, settings.language === "ja" ? 5.6 : 4.1];
  const rows = Math.ceil(((dtm ?? 40) * move * 16) / Math.max(width, 1));
  return head + Math.min(rows * row, 9.2);
}

// nothing is why there are no moves.
function nothing(answer) {
  if (answer.over) return "noMoves";
  return answer.state === "away" ? "unknown" : "nothingToShow";
}

// distance is short: plies to mate counted from before the move, or what takes its place.
export function distance(value) {
  if (value.by === "mate") return value.dtm === null ? "" : String(value.dtm + 1);
  if (value.by === "perpetual") return value.rank === null ? "∞" : `∞${value.rank}`;
  return "=";
}

// spoken is what a move with a value means, in words.
export function spoken(move) {
  const { by, dtm, rank } = move.value;
  const side = move.outcome === "win" ? "win" : "loss";
  if (by === "mate") return dtm === null ? t(`group.${side}`) : t(`${side}In`, { n: dtm + 1 });
  if (by === "perpetual") return t(`${side}Perpetual`, { rank });
  return move.outcome === "draw" ? t("group.draw") : t(`${side}Repetition`);
}
