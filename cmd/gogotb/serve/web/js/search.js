// A mate by search, for positions that no table covers. It begins by itself when one stays with such a position, and ends
// when one moves on.

import { aborted, ApiError, stream } from "./api.js";
import { opposite } from "./answer.js";
import { trouble } from "./faults.js";
import { linkTo } from "./link.js";
import { moveText } from "./notation.js";
import { bothKings, format, play } from "./sfen.js";
import { make, number, setName, t } from "./words.js";

const pause = 500; // milliseconds that a position is shown before it is searched: nobody waits who steps through a game
const [usual, longest] = [10, 30]; // seconds
const again = 5000; // milliseconds until a server that was busy is asked again
const largest = 5; // pieces that a table may have

export class Search {
  constructor(app) {
    Object.assign(this, { app, known: new Map(), phase: "", answer: null, seconds: usual });
    this.say = make("span", { class: "search-says" });
    this.meter = make("progress", { id: "search-progress" });
    this.button = make("button", { type: "button", id: "search", onclick: () => this.press() });
    this.line = make("ol", { class: "line-moves" });
    this.element = make("div", { class: "search" }, this.meter, this.say, this.button, this.line);
    this.why = make("span", { class: "why" });
    app.on("position", () => this.end());
    for (const event of ["answer", "tab", "back", "review"]) app.on(event, () => this.consider());
    document.addEventListener("visibilitychange", () => this.consider());
  }

  // wanted tells whether there is something to search for.
  get wanted() {
    const { answer, hideValues, reviewing, tab } = this.app;
    return answer?.state === "ok" && !answer.value && !answer.over && !hideValues && !reviewing && tab !== "setup";
  }

  // parts are what the card of the verdict has of a search.
  get parts() {
    return this.wanted ? [this.why, this.element] : [];
  }

  consider() {
    const { app } = this;
    if (app.reviewing) this.end(); // which has the places of this visitor
    if (!this.wanted || this.answer === app.answer || document.hidden) return;
    this.end();
    this.answer = app.answer;
    const found = this.known.get(format(app.answer.position, false));
    if (found) this.take(found);
    else {
      this.show("soon");
      this.timer = setTimeout(() => this.run(usual, true), pause);
    }
  }

  end() {
    clearTimeout(this.timer);
    this.running?.abort();
    this.answer = this.running = null;
    this.progress = null;
    this.phase = "";
  }

  press() {
    if (this.phase === "running" || this.phase === "soon") {
      const { answer } = this;
      this.end();
      this.answer = answer; // it does not begin again by itself
      this.show("stopped");
      return;
    }
    this.run(this.phase === "unknown" ? longest : usual, false);
  }

  // run asks the server for a search, and shows how far it is.
  async run(seconds, unasked) {
    const { app, answer } = this;
    clearTimeout(this.timer);
    this.running?.abort();
    const running = (this.running = new AbortController());
    this.seconds = seconds;
    this.progress = null;
    this.show("running");
    const question = new URLSearchParams({ sfen: answer.sfen, timeout: `${seconds}s`, progress: true, unasked });
    try {
      for await (const line of stream(`solve?${question}`, undefined, AbortSignal.any([running.signal, app.shown]))) {
        if (this.running !== running) return;
        if (line.category) this.take(line);
        else {
          this.progress = line;
          this.showProgress();
        }
      }
    } catch (error) {
      if (this.running !== running || aborted(error) || running.signal.aborted) return;
      const busy = error instanceof ApiError && [429, 503].includes(error.status);
      this.trouble = trouble(error);
      this.show("failed");
      if (busy && unasked) this.timer = setTimeout(() => this.run(seconds, true), again);
    }
  }

  // take takes what a search has found.
  take(found) {
    const { answer } = this;
    if (found.category === "unknown") {
      this.show(found.cut_short ? "cut" : "unknown");
      return;
    }
    this.remember(answer.position, found);
    apply(answer, found);
    this.show("found");
    this.app.emit("found");
  }

  // remember keeps what was found, for all of a line.
  remember(position, { category, dtm, max_plies, line, western, japanese }) {
    for (let i = 0; i <= line.length; i++) {
      this.known.set(format(position, false), {
        category: i % 2 === 0 ? category : opposite[category], dtm: dtm === null ? null : dtm - i, max_plies,
        line: line.slice(i), western: western.slice(i), japanese: japanese.slice(i),
      });
      if (i < line.length) position = play(position, line[i]);
    }
  }

  // show tells the rest of the page of another phase.
  show(phase) {
    this.phase = phase;
    this.answer.search = { phase, seconds: this.seconds };
    this.speak();
    this.app.emit("search");
  }

  // speak shows the words of a phase, in the language chosen.
  speak() {
    const { answer, phase } = this;
    if (!answer) return;
    const pieces = answer.set === "none" ? 0 : answer.set.length;
    const code = make("code", {}, `gogotb generate ${answer.set}`);
    const why = !bothKings(answer.position) ? [t("oneKing")]
      : pieces > largest ? [t("tooLarge", { set: setName(answer.set) })]
      : t("noTableMore", { set: setName(answer.set), command: "|" }).split("|");
    this.why.replaceChildren(why[0], ...(why.length > 1 ? [code, why[1]] : []));
    const on = phase === "running" || phase === "soon";
    this.meter.hidden = !on;
    this.meter.ariaLabel = t("searching");
    const typing = this.button.matches(":focus-visible");
    this.button.hidden = phase === "found";
    this.line.replaceChildren(...(answer.found ? lineOf(this.app, answer.position, answer.found) : []));
    if (typing && this.button.hidden) this.line.querySelector("a")?.focus({ preventScroll: true });
    this.button.textContent = on ? t("stop") : phase === "unknown" ? t("searchLonger", { n: longest }) : t("search");
    this.say.textContent = on ? "" : { failed: this.trouble, cut: t("searchCutShort") }[phase] ?? "";
    this.showProgress();
  }

  showProgress() {
    const { progress, phase } = this;
    if (phase !== "running") return;
    this.meter.max = this.seconds;
    this.meter.value = progress?.seconds ?? 0;
    if (progress) this.say.textContent = bounds(progress);
  }
}

// bounds says what a search has proved so far.
function bounds({ none, most, nodes }) {
  const proved = most !== null ? t("searchMost", { n: most }) : none > 0 ? t("searchWithin", { n: none }) : "";
  return [proved, t("searchNodes", { n: number(nodes) })].filter(Boolean).join(" ");
}

// lineOf are the moves of a solution, each a link that plays so far.
function lineOf(app, position, { line, western, japanese }) {
  return line.map((usi, i) => {
    const mark = position.turn === "b" ? "▲" : "△";
    position = play(position, usi);
    const name = moveText({ usi, western: western[i], japanese: japanese[i] }, i === 0 ? app.game.lastMove : undefined);
    const go = async () => {
      for (const [n, step] of line.slice(0, i + 1).entries()) await app.play(step, { push: n === 0 });
    };
    return make("li", {}, linkTo(app, position, {}, go, make("span", { class: "mark", "aria-hidden": "true" }, mark), name));
  });
}

// apply gives the moves of an answer what a search has proved of them: one that mates, or that all of them lose.
function apply(answer, found) {
  answer.found = found;
  if (!["win", "loss"].includes(found.category) || answer.moves.length === 0) return;
  for (const move of answer.moves) {
    const best = move.usi === found.line[0];
    move.tier = best ? 0 : 1;
    if (!best && found.category === "win") continue;
    move.outcome = found.category;
    move.value = { category: opposite[found.category], by: "mate", dtm: best ? found.dtm - 1 : null, rank: null };
  }
}
