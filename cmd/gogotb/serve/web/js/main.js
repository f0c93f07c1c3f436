// The page: what is on it, and how it hangs together.

import { knownTables } from "./answer.js";
import { App } from "./app.js";
import { watchServer } from "./away.js";
import { Board } from "./board.js";
import { hasGame } from "./game-file.js";
import { GamePanel } from "./game-panel.js";
import { valueOf } from "./game-review.js";
import { watchSteps } from "./game-steps.js";
import { watchScroll, watchWidth } from "./layout.js";
import { distance, MovesPanel, spoken } from "./moves.js";
import { moveText, pieceName, rankNames, squareText } from "./notation.js";
import { Examples } from "./opening.js";
import { Played } from "./played.js";
import { PracticePanel } from "./practice.js";
import { askPromotion, closeOutside } from "./promotion.js";
import { PuzzlesPanel } from "./puzzles.js";
import { Search } from "./search.js";
import { applyTheme, change, knowsRule, nextTheme, notation, settings } from "./settings.js";
import { SetupPanel } from "./setup.js";
import { moveParts, other, squareName } from "./sfen.js";
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

const search = new Search(app);
const played = new Played(app, $("played-moves"));
const movesPanel = new MovesPanel(app, board, $("moves"));
const statisticsPanel = new StatisticsPanel(app, $("panel-statistics"));
const examples = new Examples(app, $("examples"));
const practice = new PracticePanel(app, board, $("panel-practice"));
const puzzles = new PuzzlesPanel(app, board, $("panel-puzzles"));
const setup = new SetupPanel(app, board, $("panel-setup"));
const games = new GamePanel(app, board, $("panel-game"), { note, openTab: () => openTab($("tab-game")) });

// held tells whether something else than the visitor leads through the moves.
const held = () => practice.active || puzzles.active || games.learn.asking;

function draw() {
  const { answer, game } = app;
  const ok = answer?.state === "ok";
  const editing = app.tab === "setup";
  board.show({
    position: game.position,
    moves: new Map(ok ? answer.moves.map((m) => [m.usi, app.hideValues || !m.value ? null : { ...m, label: distance(m.value), meaning: spoken(m) }]) : []),
    arrows: ok && !editing && settings.arrows && !app.hideValues ? advice(answer) : [],
    last: game.lastMove ?? puzzles.last,
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
  if (answer) disable({ best: !bestMove() }, controls);
}

// advice are the moves worth an arrow: the best ones, unless any will do; of drops on the same square, one.
function advice({ moves }) {
  const best = moves.filter((m) => m.tier === 0 && m.outcome !== null);
  const any = best.length > 1 && (best.length === moves.length || (best.length > 3 && best[0].outcome === "draw"));
  const other = best.filter((m, i) => m.usi[1] !== "*" || best.findIndex((n) => n.usi.slice(1, 4) === m.usi.slice(1, 4)) === i);
  return any ? [] : other.slice(0, 3).map((m) => [m.usi, m.outcome]);
}

// bestMove is the one that "Best move" plays, undefined if none is known or it is not to be told.
function bestMove() {
  const { answer } = app;
  return answer?.state === "ok" && !app.hideValues ? answer.moves.find((m) => m.tier === 0 && m.outcome !== null) : undefined;
}

function showVerdict() {
  const { answer } = app;
  const card = $("verdict");
  card.setAttribute("aria-busy", String(answer === null));
  if (!answer) return; // the old verdict is dimmed until there is a new one, or showWaiting
  const learns = games.learn.asking;
  const busy = practice.active ? "practising" : puzzles.active ? "solving" : learns ? "learning" : null;
  const side = learns ? games.learn.side : (practice.run ?? puzzles.run)?.side;
  const found = busy && !answer.over ? { text: t(busy, { side: sideName(side) }), more: "", outcome: "" } : verdict(answer, valueOf(app.game.node));
  $("verdict-text").textContent = found.text;
  card.dataset.outcome = found.outcome;
  card.dataset.state = answer.state;
  $("verdict-more").textContent = found.more;
  document.title = [found.text, answer.state === "ok" && !busy ? setName(answer.set) : "", "gogotb"].filter(Boolean).join(" · ");
  const actions = busy ? [] : search.parts;
  if (actions.some((part, i) => part !== $("verdict-actions").children[i]) || actions.length === 0) $("verdict-actions").replaceChildren(...actions);
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

let noteTimer = 0;

// note says something for a few seconds, or until there is another position.
function note(text, seconds = 7) {
  clearTimeout(noteTimer);
  $("note").textContent = text;
  if (seconds < Infinity) noteTimer = setTimeout(() => ($("note").textContent = ""), 1000 * seconds);
}

app.on("load", () => app.tab !== "setup" && scrollTo({ top: 0 })); // on a telephone the rest may be far down
app.on("position", () => {
  $("note").textContent = "";
  showRepetition();
  sayMove();
  draw();
  showVerdict();
});
app.on("waiting", showWaiting);
for (const event of ["search", "review"]) app.on(event, showVerdict);
app.on("found", draw);
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
  const move = bestMove();
  if (move) app.play(move.usi);
}

function flip() {
  change({ flipped: !settings.flipped });
  app.played = null;
  draw();
  if (app.tab === "setup") setup.show();
}

function otherPieces() {
  change({ pieces: settings.pieces === "japanese" ? "international" : "japanese" });
  examples.again();
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
  if (tab.hidden) return; // its view is in sight
  for (const other of tabs) {
    if (other.hidden) continue;
    const chosen = other === tab;
    other.setAttribute("aria-selected", String(chosen));
    other.tabIndex = chosen ? 0 : -1;
    $(other.getAttribute("aria-controls")).hidden = !chosen;
  }
  app.tab = tab.id.slice("tab-".length);
  document.documentElement.dataset.tab = app.tab;
  tab.scrollIntoView({ block: "nearest", inline: "nearest" }); // where it is now
  app.emit("tab");
  draw();
  showVerdict();
}

for (const tab of tabs) {
  tab.onclick = () => openTab(tab);
  tab.onkeydown = (event) => {
    const shown = tabs.filter((other) => !other.hidden);
    const at = shown.indexOf(tab);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: shown.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const next = shown[(to + shown.length) % shown.length];
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
  search.speak();
  examples.again();
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
if (!new URLSearchParams(location.search).has("sfen")) {
  document.querySelector(".tabs").before($("examples")); // who names no position looks around
  await knownTables().catch(() => {}); // which one is shown depends on them
  examples.show();
}
watchWidth(app, openTab);
watchScroll(document.querySelector(".table"));
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
examples.show();
document.documentElement.dataset.ready = "true";
