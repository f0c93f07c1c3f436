// The page that explains: language, theme, the pieces, and the tables of this server.

import { get } from "./api.js";
import { trouble } from "./faults.js";
import { pieceName } from "./notation.js";
import { drawPiece, svg } from "./pieces.js";
import { applyTheme, change, nextTheme, settings } from "./settings.js";
import { make, number, setName, t, translate } from "./words.js";

let waiting = 0;

function speak() {
  translate();
  document.title = `gogotb: ${t("about")}`;
  const button = document.getElementById("language");
  button.textContent = settings.language === "ja" ? "English" : "日本語";
  button.lang = settings.language === "ja" ? "en" : "ja";
  for (const body of document.querySelectorAll(".samples tbody")) {
    body.replaceChildren(...["K", "R", "B", "G", "S", "P"].map((kind) => {
      const pieces = ["R", "B", "S", "P"].includes(kind) ? [kind, `+${kind}`] : [kind];
      return make("tr", {}, ...pieces.flatMap((piece) => [sample(piece, "japanese"), sample(piece, "international"), make("td", {}, pieceName(piece))]));
    }));
  }
}

function sample(piece, set) {
  const picture = svg("svg", { class: "sample", viewBox: "0 0 100 100", "aria-hidden": "true" });
  picture.append(drawPiece(piece, set));
  return make("td", {}, picture);
}

const pause = 3000; // milliseconds between questions

// keepAsking lists the tables, now or when the server is back; the page says the rest without it.
async function keepAsking() {
  clearTimeout(waiting);
  try {
    await listTables();
  } catch (error) {
    for (const body of document.querySelectorAll(".tables tbody")) body.replaceChildren(make("tr", {}, make("td", { colspan: "4" }, trouble(error))));
    waiting = setTimeout(keepAsking, pause);
  }
}

async function listTables() {
  const { tables } = await get("tables");
  const plies = (n) => (n < 0 ? "–" : t("countPlies", { n }));
  for (const body of document.querySelectorAll(".tables tbody")) {
    body.replaceChildren(...tables.map((table) => make("tr", {},
      make("td", {}, setName(table.material)), make("td", {}, number(table.legal)), make("td", {}, plies(table.max_win)), make("td", {}, plies(table.max_loss)))));
  }
}

document.getElementById("theme").onclick = nextTheme;
document.getElementById("language").onclick = () => {
  change({ language: settings.language === "ja" ? "en" : "ja" });
  speak();
  keepAsking();
};
applyTheme();
speak();
document.documentElement.dataset.spoken = "true";
await keepAsking();
document.documentElement.dataset.ready = "true";
