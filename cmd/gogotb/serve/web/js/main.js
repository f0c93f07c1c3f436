// The page: what is on it, and how it hangs together.

import { knownTables } from "./answer.js";
import { App } from "./app.js";
import { watchServer } from "./away.js";
import { Board } from "./board.js";
import { hasGame } from "./game-file.js";
import { GamePanel } from "./game-panel.js";
import { watchSteps } from "./game-steps.js";
import { distance, MovesPanel, spoken } from "./moves.js";
import { moveText, pieceName, rankNames, squareText } from "./notation.js";
import { Played } from "./played.js";
import { PracticePanel } from "./practice.js";
import { askPromotion, closeOutside } from "./promotion.js";
import { PuzzlesPanel } from "./puzzles.js";
import { search } from "./search.js";
import { applyTheme, change, knowsRule, nextTheme, notation, settings } from "./settings.js";
import { SetupPanel } from "./setup.js";
import { bothKings, moveParts, other, squareName } from "./sfen.js";
import { StatisticsPanel } from "./statistics.js";
import { verdict } from "./verdict.js";
import { disable, make, setName, sideName, t, translate } from "./words.js";

const $ = (id) => document.getElementById(id);
const app = new App();
const controls = document.querySelector(".controls");

// The board.

const board = new Board($("board"), {
  describe(place, target, meaning) {
    const { position } = app.game;
    if (typeof place === "string") {
      return t("handful", { side: sideName(place[0]), piece: t("plain")[place[1]], n: position.hands[place[0]][place[1]] });
    }
    const piece = position.board[place];
    const side = piece && sideName(piece === piece.toUpperCase() ? "b" : "w");
    return t("square", { square: squareText(place), side, piece: piece && pieceName(piece), target, meaning });
  },
  async move(from, to) {
    const start = typeof from === "string" ? `${from[1]}*` : squareName(from);
    const moves = app.answer.moves.filter((m) => m.usi.startsWith(start) && moveParts(m.usi).to === to);
    const usi = moves.length === 1 ? moves[0].usi : await askPromotion(moves.map((m) => m.usi), app.game.position.board[from]);
    if (usi) await app.play(usi);
    else board.marks();
  },
  async refused(from, to) {
    if (app.blocked || !app.answer) return;
    const usi = (typeof from === "string" ? `${from[1]}*` : squareName(from)) + squareName(to);
    const { sfen } = app.answer;
    const verdict = await app.whyNot(usi).catch(() => null);
    if (verdict && !verdict.legal && app.answer?.sfen === sfen) note(t("refused")[verdict.rule]);
  },
  transfer: (from, to) => setup.transfer(from, to),
  spare: () => setup.spare(),
  put: (place, piece) => setup.put(place, piece),
  remove: (place) => setup.remove(place),
});

const played = new Played(app, $("played-moves"));
const movesPanel = new MovesPanel(app, board, $("moves"));
const statisticsPanel = new StatisticsPanel(app, $("panel-statistics"));
const practice = new PracticePanel(app, board, $("panel-practice"));
const puzzles = new PuzzlesPanel(app, board, $("panel-puzzles"));
const setup = new SetupPanel(app, board, $("panel-setup"));
const games = new GamePanel(app, board, $("panel-game"), { note, openTab: () => openTab($("tab-game")) });

// held tells whether something else than the visitor leads through the moves.
const held = () => practice.active || puzzles.active || games.learn.active;

function draw() {
  const { answer, game } = app;
  const ok = answer?.state === "ok";
  const editing = app.tab === "setup";
  board.show({
    position: game.position,
    moves: new Map(ok ? answer.moves.map((m) => [m.usi, app.hideValues || !m.value ? null : { ...m, label: distance(m.value), meaning: spoken(m) }]) : []),
    arrows: ok && !editing && settings.arrows && !app.hideValues ? advice(answer) : [],
    last: game.lastMove,
    check: ok && answer.check,
    flipped: settings.flipped,
    pieces: settings.pieces,
    editing,
    still: !editing && (!ok || app.blocked),
    ranks: rankNames(),
    label: t("boardLabel", { turn: sideName(game.position.turn) }),
  }, app.played !== null);
  const [start, end, away] = [game.at === 0, game.at === game.steps.length, held()];
  disable({ first: start || away, undo: start || (away && !practice.active), redo: end || away, last: end || away }, controls);
  if (answer) disable({ best: !canPlayBest() }, controls);
}

// advice are the moves worth an arrow: the best ones, unless any will do.
function advice({ value, moves }) {
  const best = value ? moves.filter((m) => m.tier === 0) : [];
  const any = best.length > 1 && (best.length === moves.length || (best.length > 3 && best[0].outcome === "draw"));
  return any ? [] : best.slice(0, 3).map((m) => [m.usi, m.outcome]);
}

function canPlayBest() {
  const { answer } = app;
  return answer?.state === "ok" && answer.value !== null && !app.hideValues && answer.moves.length > 0;
}

function showVerdict() {
  const { answer } = app;
  const card = $("verdict");
  card.setAttribute("aria-busy", String(answer === null));
  if (!answer) return; // the old verdict is dimmed until there is a new one, or showWaiting
  const learns = games.learn.active && app.hideValues;
  const busy = practice.active ? "practising" : puzzles.active ? "solving" : learns ? "learning" : null;
  const side = learns ? games.learn.side : (practice.run ?? puzzles.run)?.side;
  const found = busy && !answer.over ? { text: t(busy, { side: sideName(side) }), more: "", outcome: "" } : verdict(answer);
  $("verdict-text").textContent = found.text;
  card.dataset.outcome = found.outcome;
  card.dataset.state = answer.state;
  $("verdict-more").textContent = found.more;
  document.title = [found.text, answer.state === "ok" && !busy ? setName(answer.set) : "", "gogotb"].filter(Boolean).join(" · ");
  $("verdict-actions").replaceChildren(...(answer.state === "ok" && !answer.value && !answer.over && !busy ? helpWithoutTable(answer) : []));
}

// showWaiting says that the answer is long in coming.
function showWaiting() {
  const card = $("verdict");
  card.dataset.outcome = card.dataset.state = "";
  $("verdict-text").textContent = t("waiting");
  $("verdict-more").textContent = "";
  $("verdict-actions").replaceChildren();
  disable({ best: true }, controls);
}

// sayMove tells a screen reader of the move that led here; in practice and puzzles their panels do.
function sayMove() {
  const { game, played } = app;
  $("played").textContent = played && !app.hideValues
    ? t("replied", { side: sideName(other(game.position.turn)), move: moveText(played, game.before) }) : "";
}

let help = {}; // what is said for an answer in a language; a search in it goes on while tabs are opened

// helpWithoutTable says how a table comes about, and offers a search.
function helpWithoutTable(answer) {
  if (help.answer !== answer || help.language !== settings.language) help = { answer, language: settings.language, parts: makeHelp(answer) };
  return help.parts;
}

function makeHelp(answer) {
  const pieces = answer.set === "none" ? 0 : answer.set.length;
  const code = make("code", {}, `gogotb generate ${answer.set}`);
  const why = !bothKings(answer.position) ? [t("oneKingMore")] : pieces > 5 ? [t("tooLarge")] : t("noTableMore", { command: "|" }).split("|");
  if (why.length > 1) why.splice(1, 0, code);
  const result = make("span", { class: "found", role: "status", "aria-live": "polite" });
  const button = make("button", { type: "button", id: "search", onclick: () => search(app, answer, button, result) }, t("search"));
  return [make("span", { class: "why" }, ...why), button, result];
}

let noteTimer = 0;

// note says something for a few seconds, or until there is another position.
function note(text, seconds = 7) {
  clearTimeout(noteTimer);
  $("note").textContent = text;
  if (seconds < Infinity) noteTimer = setTimeout(() => ($("note").textContent = ""), 1000 * seconds);
}

app.on("load", () => app.tab !== "setup" && $("board").scrollIntoView({ block: "nearest" })); // on a telephone it may be far up
app.on("position", () => {
  $("note").textContent = "";
  showRepetition();
  sayMove();
  draw();
  showVerdict();
});
app.on("waiting", showWaiting);
app.on("answer", () => {
  draw();
  showVerdict();
});

// Controls.

function undo() {
  if (practice.active) practice.takeBack();
  else go(app.game.at - 1);
}

function redo() {
  go(app.game.at + 1);
}

function go(at) {
  if (!held()) app.go(at);
}

function playBest() {
  if (canPlayBest()) app.play(app.answer.moves[0].usi);
}

function flip() {
  change({ flipped: !settings.flipped });
  app.played = null;
  draw();
  if (app.tab === "setup") setup.show();
}

function otherPieces() {
  change({ pieces: settings.pieces === "japanese" ? "international" : "japanese" });
  draw();
  if (app.tab === "setup") setup.show();
}

function otherArrows() {
  change({ arrows: !settings.arrows });
  $("arrows").checked = settings.arrows;
  draw();
}

async function copyLink() {
  try {
    await navigator.clipboard.writeText(new URL(app.address(app.game.sfen), location.href));
    note(t("copied"));
  } catch {
    note(t("notCopied"));
  }
}

function showKeys() {
  $("keyboard-list").replaceChildren(...Object.entries(t("keyNames")).flatMap(([key, what]) => [make("dt", {}, make("kbd", {}, key)), make("dd", {}, what)]));
  $("keyboard").showModal();
}

$("first").onclick = () => go(0);
$("undo").onclick = undo;
$("redo").onclick = redo;
$("last").onclick = () => go(app.game.steps.length);
$("best").onclick = playBest;
$("flip").onclick = flip;
$("set").onclick = otherPieces;
$("link").onclick = copyLink;
$("help").onclick = showKeys;
$("theme").onclick = nextTheme;
$("language").onclick = () => {
  change({ language: settings.language === "ja" ? "en" : "ja" });
  speak();
};
$("notation").onchange = () => {
  change({ notation: $("notation").value });
  speak();
};
$("arrows").onchange = otherArrows;
$("repetition").onchange = $("first-player").onchange = () => {
  change({ repetition: $("repetition").value, firstPlayer: $("first-player").value });
  app.refresh();
};

function showRepetition() {
  $("repetition").value = settings.repetition;
  $("first-player").value = settings.firstPlayer;
}

const keys = {
  " ": playBest, u: undo, r: redo, ArrowLeft: undo, ArrowRight: redo, Home: () => go(0), End: () => go(app.game.steps.length),
  a: otherArrows, f: flip, p: otherPieces, l: copyLink, "?": showKeys,
};
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || document.querySelector("dialog[open]")) return;
  const busy = event.target.closest("input, select, textarea");
  const pressable = event.key === " " && event.target.closest("button, a, summary");
  if (busy || pressable || !keys[event.key]) return;
  event.preventDefault();
  keys[event.key]();
});

watchSteps($("board"), {
  held: () => board.selected !== null || Boolean(board.press?.lifted),
  can: (way) => !held() && app.tab !== "setup" && (way < 0 ? app.game.at > 0 : app.game.at < app.game.steps.length),
  step: (way) => app.go(app.game.at + way),
});

// Tabs.

const tabs = [...document.querySelectorAll('[role="tab"]')];

function openTab(tab) {
  for (const other of tabs) {
    const chosen = other === tab;
    other.setAttribute("aria-selected", String(chosen));
    other.tabIndex = chosen ? 0 : -1;
    $(other.getAttribute("aria-controls")).hidden = !chosen;
  }
  tab.scrollIntoView({ block: "nearest", inline: "nearest" });
  app.tab = tab.id.slice("tab-".length);
  document.documentElement.dataset.tab = app.tab;
  app.emit("tab");
  draw();
  showVerdict();
}

for (const [i, tab] of tabs.entries()) {
  tab.onclick = () => openTab(tab);
  tab.onkeydown = (event) => {
    const to = { ArrowRight: i + 1, ArrowLeft: i - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const next = tabs[(to + tabs.length) % tabs.length];
    next.focus();
    openTab(next);
  };
}

watchServer(app, $("away"), $("again"));

// restore shows what the address names: a position, or a game from there on.
async function restore() {
  const { hash } = location;
  const shown = await app.restore();
  if (shown && hasGame(hash)) await games.openLink(app.game.root.position, hash);
  return shown;
}

// speak shows everything in the language and notation chosen.
function speak() {
  translate();
  $("language").textContent = settings.language === "ja" ? "English" : "日本語";
  $("language").lang = settings.language === "ja" ? "en" : "ja";
  $("notation").value = notation();
  $("arrows").checked = settings.arrows;
  draw();
  showVerdict();
  played.show();
  movesPanel.show();
  statisticsPanel.show();
  practice.show();
  puzzles.render();
  setup.show();
  games.show();
}

document.querySelector(".skip").onclick = (event) => {
  event.preventDefault(); // the address is the position's
  $("verdict").focus();
};
addEventListener("popstate", restore);
for (const dialog of document.querySelectorAll("dialog")) closeOutside(dialog);
applyTheme();
speak();
document.documentElement.dataset.spoken = "true";
knownTables().catch(() => {}); // whoever needs them next asks again
const clear = knowsRule(new URLSearchParams(location.search));
if (!(await restore())) {
  await app.refresh();
  note(t("notSfenLink"), Infinity);
} else if (!clear) {
  note(t("notRuleLink"), Infinity);
}
document.documentElement.dataset.ready = "true";
