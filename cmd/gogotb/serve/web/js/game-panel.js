// The panel of games: opened or played here, with their moves, reviewed and learned from.

import { aborted, ApiError } from "./api.js";
import { fileFault, trouble } from "./faults.js";
import { kifOf, linkOf, lineOf, readFile, readLink, usiOf } from "./game-file.js";
import { GameGraph } from "./game-graph.js";
import { Learn } from "./game-learn.js";
import { GameList, nameOf, sideMark } from "./game-list.js";
import { watchArrivals } from "./game-open.js";
import { found, judged, named, review, valueOf } from "./game-review.js";
import { svg } from "./pieces.js";
import { settings } from "./settings.js";
import { fromText, format } from "./sfen.js";
import { make, refill, sideName, t } from "./words.js";

const tallied = ["missed-mate", "allowed-mate", "longer", "shortened", "only"]; // judgements that are counted for both sides

// example is a game in which mates are missed, by two weak players.
const example = `startpos moves 3e2d 3a2b 2e4c 2a3b 4e3d 3b4c 3d4c B*1d G*4d 1a2a 5e4e 4a2c 4e3e 1b1c 4c4b 2c3b 4b5a 1d2c
 5a5b 2a1a 5b4b 1a2a 4b3b 2a1b 2d1c 1b1a 1c1b 2c1b R*2a`.replaceAll("\n", "");

export class GamePanel {
  // hooks: openTab(), note(text).
  constructor(app, board, element, hooks) {
    Object.assign(this, { app, board, element, hooks, file: null, run: null, trouble: "" });
    this.head = make("div", { class: "game-head" });
    this.lesson = make("div", { class: "game-learn" });
    this.work = make("div", { class: "game-work" });
    this.graph = new GameGraph(app, svg("svg", { class: "graph" }));
    this.list = new GameList(app, make("ol", { class: "game-list" }));
    this.detail = make("li", { class: "game-detail" });
    this.heard = make("p", { class: "heard", role: "status", "aria-live": "polite" });
    this.sum = make("div", { class: "game-sum" });
    this.foot = make("div", { class: "game-foot" });
    this.learn = new Learn(app, board, this.lesson, () => this.show());
    element.append(this.head, this.lesson, this.work, this.graph.element, this.list.element, this.sum, this.heard, this.foot);
    app.on("load", () => this.stopReview());
    app.on("position", () => this.show());
    app.on("tab", () => this.show());
    watchArrivals((content, name) => this.take(content, name));
  }

  get open() {
    return this.app.tab === "game";
  }

  // Opening.

  // take opens what has come from outside: a position, or a file of games.
  async take(content, name) {
    const position = typeof content === "string" ? fromText(content) : null;
    if (position) {
      await this.app.load(position, { push: true });
      return;
    }
    this.trouble = "";
    let opened = "";
    try {
      const { games, errors } = await readFile(content, name);
      this.file = { games, errors, name };
      await this.choose(0);
      opened = t("opened", { n: games.length, name });
    } catch (error) {
      this.trouble = error.status === 0 ? trouble(error) : fileFault(error.details);
    }
    this.hooks.openTab();
    this.show();
    this.heard.textContent = opened;
  }

  async choose(number) {
    this.file.number = number;
    this.stopReview();
    await this.app.open(this.file.games[number]);
  }

  // openLink opens the game of a link; position is its start.
  async openLink(position, hash) {
    const game = await readLink(position, hash).catch(() => null);
    if (game) {
      await this.app.open(game);
      this.hooks.openTab();
    } else {
      this.hooks.note(t("notGameLink"));
    }
  }

  // Reviews.

  async review() {
    const { app } = this;
    const { game } = app;
    const { nodes } = lineOf(game);
    this.trouble = "";
    const run = (this.run = { stop: new AbortController(), done: 0, of: nodes.length });
    app.reviewing = true;
    app.emit("review");
    this.show();
    try {
      const summary = await review(game, run.stop.signal, (node) => {
        run.done += 1;
        this.list.judge(node);
        this.showWork();
        this.graph.show();
        if (node === app.game.node || node.parent === app.game.node) this.showDetail();
        app.emit("review");
      });
      game.root.review = { summary };
    } catch (error) {
      if (!aborted(error) && !(error instanceof ApiError)) throw error;
      if (!aborted(error)) this.trouble = trouble(error);
    }
    if (this.run !== run) return;
    app.writeAddress(false); // what was found is kept with the game
    this.stopReview();
    this.show();
  }

  stopReview() {
    if (!this.run) return;
    this.run.stop.abort();
    this.run = null;
    this.app.reviewing = false;
    this.app.emit("review");
  }

  // Showing.

  show() {
    if (!this.open) return;
    const { learn, app } = this;
    const { game } = app;
    const { asking } = learn;
    const empty = game.nodes.length === 1;
    this.showHead();
    learn.render();
    this.showWork();
    this.graph.element.toggleAttribute("hidden", asking || empty || !game.line.some(found));
    this.list.element.toggleAttribute("hidden", asking || empty);
    this.head.hidden = this.sum.hidden = this.foot.hidden = asking;
    if (!asking) {
      this.graph.show();
      this.list.show();
    }
    this.showDetail();
    this.showFoot();
  }

  // isNew tells whether what a part of the panel shows has changed; what has not stays in the page, under the pointer too.
  isNew(part, ...state) {
    const now = JSON.stringify([settings.language, ...state]);
    const before = part.dataset.state;
    part.dataset.state = now;
    return now !== before;
  }

  showHead() {
    const { game } = this.app;
    if (!this.isNew(this.head, game.id, game.nodes.length === 1, this.file?.games.map((other) => other.id), this.trouble)) return;
    const { players, headers, notes, error, name } = game.info ?? {};
    const parts = [];
    if (game.info) {
      const sides = [["b", players.sente], ["w", players.gote]];
      parts.push(make("h2", { class: "players" }, ...sides.map(([side, player]) => make("span", { class: "player" }, sideMark(side), player || sideName(side)))));
      const said = [name, ...headers.map(({ key, value }) => `${key}: ${value}`)].filter(Boolean);
      if (said.length > 0) parts.push(make("p", { class: "quiet game-said" }, said.join(" · ")));
    } else if (game.nodes.length === 1) {
      parts.push(make("p", { class: "quiet" }, t("gameHelp")), make("div", { class: "buttons" }, make("button", { type: "button", id: "game-example", onclick: () => this.take(example, "") }, t("exampleGame"))));
    }
    const others = this.file?.games ?? [];
    if (others.length > 1 && others.includes(game)) {
      const select = make("select", { id: "game-number", onchange: () => this.choose(Number(select.value)) },
        ...others.map((other, i) => make("option", { value: i, selected: other === game }, [i + 1, other.info.players.sente, other.info.players.gote].filter(Boolean).join(" · "))));
      parts.push(make("label", { class: "quiet game-others" }, t("gameOf", { n: others.length }), " ", select));
    }
    const wrong = [error && t("gameBroken", { why: fileFault(error) }), ...(others.includes(game) ? this.file.errors.map(fileFault) : [])].filter(Boolean);
    for (const text of wrong) parts.push(make("p", { class: "problem" }, text));
    if (notes?.length > 0) {
      parts.push(make("details", { class: "quiet" }, make("summary", {}, t("passedOver", { n: notes.length })),
        make("ul", {}, ...notes.map(({ line, text }) => make("li", {}, t("inLine", { line, what: text }))))));
    }
    parts.push(make("p", { class: "problem", id: "game-trouble", role: "status", "aria-live": "polite" }, this.trouble));
    refill(this.head, ...parts);
  }

  // showWork shows how far a review is, and what can be done with the game.
  showWork() {
    if (!this.open) return;
    const { game } = this.app;
    const { run, learn } = this;
    const shown = game.nodes.length > 1 && !learn.active;
    const { missed } = learn;
    const reviewed = lineOf(game).nodes.some((node) => node.review);
    const counts = this.counts();
    if (!this.isNew(this.work, shown, run?.done, run?.of, missed.length, reviewed, counts, game.info?.players)) return;
    if (!shown) {
      refill(this.work);
      refill(this.sum);
      return;
    }
    const button = (name, id, action, attributes = {}) => make("button", { type: "button", id, onclick: action, ...attributes }, t(name, { n: missed.length }));
    refill(this.sum, reviewed && !run ? this.tally(counts) : null);
    const parts = [make("div", { class: "buttons" },
      run ? button("reviewStop", "game-stop", () => {
        this.stopReview();
        this.show();
      }) : button(reviewed ? "reviewAgain" : "review", "game-review", () => this.review(), { class: reviewed ? "" : "primary" }),
      missed.length > 0 && !run ? button("learn", "game-learn", () => this.learn.begin(), { class: "primary" }) : null)];
    if (run) {
      const bar = make("progress", { max: Math.max(run.of, 1), value: run.done, "aria-label": t("reviewing") });
      parts.push(make("p", { class: "quiet game-progress" }, bar, " ", t("reviewed", { n: run.done, of: run.of })));
    } else if (!reviewed) {
      parts.push(make("p", { class: "quiet" }, t("reviewHelp")));
    }
    refill(this.work, ...parts);
  }

  // counts are the judgements of both sides in the line that is shown: [kind, Sente's, Gote's].
  counts() {
    const { nodes } = lineOf(this.app.game);
    const count = (side, kind) => nodes.filter((node) => node.parent.position.turn === side && node.review?.judgement === kind).length;
    return tallied.map((kind) => [kind, count("b", kind), count("w", kind)]).filter(([, b, w]) => b + w > 0);
  }

  tally(counts) {
    if (counts.length === 0) return make("p", { class: "quiet" }, t("nothingFound"));
    return make("table", { class: "tally" },
      make("thead", {}, make("tr", {}, make("td", {}), ...["b", "w"].map((side) => make("th", { scope: "col" }, sideMark(side), make("span", { "aria-hidden": "true" }, this.player(side)))))),
      make("tbody", {}, ...counts.map(([kind, ...sides]) => make("tr", { "data-judgement": kind }, make("th", { scope: "row" }, t("tallies")[kind]), ...sides.map((n) => make("td", {}, String(n)))))));
  }

  player(side) {
    const { sente, gote } = this.app.game.info?.players ?? {};
    return (side === "b" ? sente : gote) || sideName(side);
  }

  // showDetail says what there is to say about the move that led here, with the line that shows it, below that move.
  showDetail() {
    const { node } = this.app.game;
    const mark = judged(node.review);
    const value = valueOf(node);
    this.detail.remove();
    this.heard.textContent = "";
    if (!this.open || this.learn.asking || (!mark && !value) || node.move === undefined) return;
    const lines = make("div", {});
    const texts = [mark?.text, value?.text].filter(Boolean);
    this.detail.dataset.judgement = mark?.kind ?? "";
    this.detail.replaceChildren(...(mark ? [make("p", { class: "detail-judged" }, mark.text)] : []), ...(value ? [make("p", { class: "quiet" }, value.text)] : []), lines);
    this.heard.textContent = texts.join(" ");
    this.list.place(this.detail, node);
    if (mark) this.showLines(node, lines);
  }

  // showLines shows the line that proves a judgement, and better moves, with names that the server gives.
  async showLines(node, element) {
    const { review: said } = node;
    const { line, better = [] } = said;
    const before = format(node.parent.position);
    try {
      said.names ??= {
        line: line.length > 0 ? await named(before, line) : [],
        better: await Promise.all(better.slice(0, 4).map(async (usi) => (await named(before, [usi]))[0])),
      };
    } catch {
      return; // without names there is nothing to read
    }
    if (this.app.game.node !== node) return;
    const play = (moves) => this.app.visit(node.parent.add(moves));
    const buttons = (moves, whole) => make("ol", { class: "line-moves" }, ...moves.map((move, i) => {
      const turn = (i % 2 === 0 || !whole) === (node.parent.position.turn === "b") ? "b" : "w";
      const name = nameOf({ move: move.usi, western: move.western, japanese: move.japanese, parent: i > 0 && whole ? { move: moves[i - 1].usi } : node.parent });
      return make("li", {}, make("button", { type: "button", onclick: () => play(whole ? moves.slice(0, i + 1) : [move]) }, sideMark(turn), name));
    }));
    const parts = [];
    if (said.names.better.length > 0) parts.push(make("div", { class: "detail-line" }, make("span", {}, t("betterMoves")), buttons(said.names.better, false)));
    if (said.names.line.length > 1 || (said.names.line.length === 1 && said.names.better.length === 0)) parts.push(make("div", { class: "detail-line" }, make("span", {}, t("shownBy")), buttons(said.names.line, true)));
    element.replaceChildren(...parts);
    this.list.reveal(node);
  }

  showFoot() {
    if (this.foot.dataset.language !== document.documentElement.lang) {
      this.foot.dataset.language = document.documentElement.lang;
      const file = make("input", { type: "file", id: "game-file", accept: ".kif,.kifu,.csa,.usi,.sfen,.txt,text/plain", onchange: () => {
        if (file.files[0]) this.take(file.files[0], file.files[0].name);
        file.value = ""; // so that the same can be chosen again
      } });
      const text = make("textarea", { id: "game-text", rows: 5, spellcheck: "false", autocomplete: "off", placeholder: "1. G-44 K-22 2. S-34 …" });
      const button = (name, id, action) => make("button", { type: "button", id, onclick: action }, t(name));
      this.exports = make("details", { class: "game-export" }, make("summary", {}, t("export")), make("div", { class: "buttons" },
        button("saveKIF", "export-kif", () => this.saveKIF()), button("copyKIF", "copy-kif", () => this.copy(() => this.kif(), "copiedKIF")),
        button("copyUSI", "copy-usi", () => this.copy(() => usiOf(this.app.game), "copiedUSI")), button("copyGameLink", "copy-game", () => this.copy(() => String(new URL(linkOf(this.app.game), location.href)), "copied"))));
      this.foot.replaceChildren(this.exports,
        make("p", { class: "file" }, make("label", { class: "button" }, t("openGame"), file), make("span", { class: "quiet" }, t("orDrop"))),
        make("details", { class: "game-paste" }, make("summary", {}, t("pasteGame")), make("label", { class: "quiet", for: "game-text" }, t("pasteHelp")), text,
          make("div", { class: "buttons" }, button("readGame", "game-read", () => text.value.trim() !== "" && this.take(text.value, "")))));
    }
    this.exports.hidden = this.app.game.nodes.length === 1 || this.learn.active;
  }

  // Exports.

  kif() {
    return kifOf(this.app.game, (node) => [judged(node.review)?.text, node.review && valueOf(node)?.text].filter(Boolean));
  }

  async saveKIF() {
    try {
      const address = URL.createObjectURL(new Blob([await this.kif()], { type: "text/plain;charset=utf-8" }));
      make("a", { href: address, download: `${(this.app.game.info?.name || "minishogi").replace(/\.\w+$/, "")}.kif` }).click();
      setTimeout(() => URL.revokeObjectURL(address), 60000);
    } catch (error) {
      this.hooks.note(trouble(error));
    }
  }

  async copy(text, done) {
    try {
      await navigator.clipboard.writeText(await text());
      this.hooks.note(t(done));
    } catch (error) {
      this.hooks.note(error.code === undefined || error.name === "NotAllowedError" ? t("cannotCopy") : trouble(error));
    }
  }
}
