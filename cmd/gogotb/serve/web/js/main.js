// The page: what is on it, and how it hangs together.

import { get } from "./api.js";
import { knownTables } from "./answer.js";
import { App } from "./app.js";
import { Board } from "./board.js";
import { MovesPanel } from "./moves.js";
import { pieceName, squareText } from "./notation.js";
import { drawPiece, svg } from "./pieces.js";
import { PracticePanel } from "./practice.js";
import { PuzzlesPanel } from "./puzzles.js";
import { search } from "./search.js";
import { applyTheme, change, nextTheme, notation, settings } from "./settings.js";
import { SetupPanel } from "./setup.js";
import { bothKings, moveParts, squareName } from "./sfen.js";
import { StatisticsPanel } from "./statistics.js";
import { verdict } from "./verdict.js";
import { make, sideName, t, translate } from "./words.js";

const $ = (id) => document.getElementById(id);
const app = new App();

// The board.

const board = new Board($("board"), {
  describe(place, target) {
    const { position } = app.game;
    if (typeof place === "string") {
      return t("handful", { side: sideName(place[0]), piece: t("plain")[place[1]], n: position.hands[place[0]][place[1]] });
    }
    const piece = position.board[place];
    const side = piece && sideName(piece === piece.toUpperCase() ? "b" : "w");
    return t("square", { square: squareText(place), side, piece: piece && pieceName(piece), target });
  },
  async move(from, to) {
    const start = typeof from === "string" ? `${from[1]}*` : squareName(from);
    const moves = app.answer.moves.filter((m) => m.usi.startsWith(start) && moveParts(m.usi).to === to);
    const usi = moves.length === 1 ? moves[0].usi : await askPromotion(moves.map((m) => m.usi), from);
    if (usi) await app.play(usi);
    else board.marks();
  },
  async refused(from, to) {
    if (app.blocked || !app.answer) return;
    const usi = (typeof from === "string" ? `${from[1]}*` : squareName(from)) + squareName(to);
    const { sfen } = app.answer;
    const verdict = await app.whyNot(usi).catch(() => null);
    if (verdict && !verdict.legal && app.answer?.sfen === sfen) note(t("refused")[verdict.rule] ?? t("notAllowed"));
  },
  transfer: (from, to) => setup.transfer(from, to),
  spare: () => setup.spare(),
  put: (place, piece) => setup.put(place, piece),
  remove: (place) => setup.remove(place),
});

const movesPanel = new MovesPanel(app, board, $("moves"));
const statisticsPanel = new StatisticsPanel(app, $("panel-statistics"));
const practice = new PracticePanel(app, board, $("panel-practice"));
const puzzles = new PuzzlesPanel(app, board, $("panel-puzzles"));
const setup = new SetupPanel(app, board, $("panel-setup"));

function draw() {
  const { answer, game } = app;
  const ok = answer?.state === "ok";
  const editing = app.tab === "setup";
  board.show({
    position: game.position,
    moves: new Map(ok ? answer.moves.map((m) => [m.usi, app.hideValues ? null : m.outcome]) : []),
    last: game.lastMove,
    check: ok && answer.check,
    flipped: settings.flipped,
    pieces: settings.pieces,
    editing,
    still: !editing && (!ok || app.blocked),
    ranks: notation() === "japanese" ? [..."一二三四五"] : notation() === "usi" ? [..."abcde"] : [..."12345"],
    label: t("boardLabel", { turn: sideName(game.position.turn) }),
  }, app.animate);
  const end = game.at === game.moves.length;
  disable({ first: game.at === 0, undo: game.at === 0, redo: end, last: end });
  if (answer) disable({ best: !ok || !answer.value || app.hideValues || answer.moves.length === 0 });
}

// disable makes buttons useless, or useful again, by id. Who is on one with the keyboard goes on from the next.
function disable(buttons) {
  const left = Object.keys(buttons).find((id) => buttons[id] && $(id).matches(":focus-visible"));
  for (const [id, useless] of Object.entries(buttons)) $(id).disabled = useless;
  if (left) document.querySelector(".controls button:not(:disabled)").focus();
}

function showVerdict() {
  const { answer } = app;
  const card = $("verdict");
  card.setAttribute("aria-busy", String(answer === null));
  if (!answer) return; // the old verdict fades until there is a new one
  const busy = practice.active ? "practising" : puzzles.active ? "solving" : null;
  const side = (practice.run ?? puzzles.run)?.side;
  const found = busy && !answer.over ? { text: t(busy, { side: sideName(side) }), more: "", outcome: "" } : verdict(answer);
  $("verdict-text").textContent = found.text;
  card.dataset.outcome = found.outcome;
  card.dataset.state = answer.state;
  $("verdict-more").textContent = found.more;
  $("verdict-actions").replaceChildren(...(answer.state === "ok" && !answer.value && !answer.over && !busy ? helpWithoutTable(answer) : []));
}

// helpWithoutTable says how a table comes about, and offers a search.
function helpWithoutTable(answer) {
  const pieces = answer.set === "none" ? 0 : answer.set.length;
  const code = make("code", {}, `gogotb generate ${answer.set}`);
  const why = !bothKings(answer.position) ? [t("oneKing")] : pieces > 5 ? [t("tooLarge")] : t("noTableMore", { command: "|" }).split("|");
  if (why.length > 1) why.splice(1, 0, code);
  const result = make("span", { class: "found", role: "status", "aria-live": "polite" });
  const button = make("button", { type: "button", id: "search", onclick: () => search(app, answer, button, result) }, t("search"));
  return [make("span", { class: "why" }, ...why), button, result];
}

async function askPromotion(moves, from) {
  const dialog = $("promotion");
  const piece = app.game.position.board[from];
  const option = (usi) => {
    const shown = usi.endsWith("+") ? `+${piece}` : piece;
    const picture = svg("svg", { viewBox: "0 0 100 100", "aria-hidden": "true" });
    const turned = (piece !== piece.toUpperCase()) !== settings.flipped;
    picture.append(svg("g", turned ? { transform: "rotate(180 50 50)" } : {}, drawPiece(shown, settings.pieces, turned ? 180 : 0)));
    const label = t(usi.endsWith("+") ? "promoteYes" : "promoteNo", { piece: pieceName(shown) });
    return make("button", { type: "button", "data-usi": usi, onclick: () => dialog.close(usi) }, picture, make("span", {}, label));
  };
  moves.sort((a, b) => b.length - a.length); // promotion first
  dialog.returnValue = "";
  dialog.querySelector("div").replaceChildren(...moves.map(option));
  await new Promise(requestAnimationFrame); // the key that brought the piece here is not the answer
  dialog.showModal();
  return new Promise((done) => dialog.addEventListener("close", () => done(dialog.returnValue), { once: true }));
}

let noteTimer = 0;

// note says something for a few seconds.
function note(text) {
  clearTimeout(noteTimer);
  $("note").textContent = text;
  noteTimer = setTimeout(() => ($("note").textContent = ""), 7000);
}

app.on("load", () => app.tab !== "setup" && $("board").scrollIntoView({ block: "nearest" })); // on a telephone it may be far up
app.on("position", () => {
  $("note").textContent = "";
  draw();
  showVerdict();
});
app.on("answer", () => {
  draw();
  showVerdict();
});

// Controls.

function undo() {
  if (practice.active) practice.takeBack();
  else if (!puzzles.active) app.go(app.game.at - 1);
}

function go(at) {
  if (!practice.active && !puzzles.active) app.go(at);
}

function playBest() {
  if (app.answer && !$("best").disabled) app.play(app.answer.moves[0].usi);
}

function flip() {
  change({ flipped: !settings.flipped });
  app.animate = false;
  draw();
  if (app.tab === "setup") setup.show();
}

function otherPieces() {
  change({ pieces: settings.pieces === "japanese" ? "international" : "japanese" });
  draw();
  if (app.tab === "setup") setup.show();
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
$("redo").onclick = () => go(app.game.at + 1);
$("last").onclick = () => go(app.game.moves.length);
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
$("repetition").onchange = $("first-player").onchange = () => {
  change({ repetition: $("repetition").value, firstPlayer: $("first-player").value });
  showRepetition();
  app.refresh({ trusted: app.game.at > 0 });
};

function showRepetition() {
  $("repetition").value = settings.repetition;
  $("first-player").value = settings.firstPlayer;
}

const keys = {
  " ": playBest, u: undo, r: () => go(app.game.at + 1), Home: () => go(0), End: () => go(app.game.moves.length),
  f: flip, p: otherPieces, l: copyLink, "?": showKeys,
};
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || document.querySelector("dialog[open]")) return;
  const busy = event.target.closest("input, select, textarea");
  const pressable = event.key === " " && event.target.closest("button, a, summary");
  if (busy || pressable || !keys[event.key]) return;
  event.preventDefault();
  keys[event.key]();
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

// The server that goes away, and comes back.

const patience = 3000; // milliseconds between questions
let waiting = 0;

app.on("away", () => {
  $("away").hidden = false;
  clearTimeout(waiting);
  waiting = setTimeout(tryAgain, patience);
});

async function tryAgain() {
  clearTimeout(waiting);
  try {
    await get("tables", {}, undefined, "no-store"); // the server itself, not what the browser has kept
  } catch {
    waiting = setTimeout(tryAgain, patience);
    return;
  }
  await app.refresh({ trusted: app.game.at > 0 });
}
$("again").onclick = tryAgain;
app.on("answer", () => {
  if (app.answer && app.answer.state !== "away") $("away").hidden = true;
});

// speak shows everything in the language and notation chosen.
function speak() {
  translate();
  $("language").textContent = settings.language === "ja" ? "English" : "日本語";
  $("language").lang = settings.language === "ja" ? "en" : "ja";
  $("notation").value = notation();
  document.title = `gogotb: ${t("tagline")}`;
  draw();
  showVerdict();
  movesPanel.show();
  statisticsPanel.show();
  practice.show();
  puzzles.render();
  setup.show();
}

document.querySelector(".skip").onclick = (event) => {
  event.preventDefault(); // the address is the position's
  $("verdict").focus();
};
addEventListener("popstate", () => app.restore());
applyTheme();
showRepetition();
speak();
knownTables().catch(() => {}); // whoever needs them next asks again
if (!(await app.restore())) {
  await app.refresh();
  note(t("notSfen"));
}
document.documentElement.dataset.ready = "true";
