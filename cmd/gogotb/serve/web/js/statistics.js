// The panel of statistics: what a material set is made of, and where the position shown stands in it.

import { aborted, get } from "./api.js";
import { knownTables } from "./answer.js";
import { trouble } from "./faults.js";
import { linkTo } from "./link.js";
import { svg } from "./pieces.js";
import { settings } from "./settings.js";
import { pickSet } from "./sets.js";
import { bothKings, parse } from "./sfen.js";
import { make, number, refill, setName, t } from "./words.js";

export class StatisticsPanel {
  constructor(app, element) {
    Object.assign(this, { app, element });
    for (const event of ["answer", "tab", "away", "back"]) app.on(event, () => this.show());
    app.on("position", () => (element.ariaBusy = "true")); // it is about the position before
  }

  async show() {
    const { app, element } = this;
    const { answer } = app;
    if (app.tab !== "statistics" || !answer) return;
    this.asking?.abort();
    const asking = (this.asking = new AbortController());
    try {
      const [tables, brought] = await Promise.all([knownTables(), atlas()]);
      if (asking.signal.aborted) return;
      const own = bothKings(answer.position) ? answer.set : ""; // no set has one king
      const set = this.chosen && this.chosenFor === own ? this.chosen : own;
      const choice = this.choice(set, own);
      if (!tables.has(set) && !brought.includes(set)) {
        this.fill(choice, make("p", { class: "quiet" }, set === "" ? t("oneKing") : t("noStatistics", { set: setName(set) })));
        return;
      }
      const statistics = await get(`${tables.has(set) ? "stats" : "atlas"}/${set}`, {}, asking.signal);
      const here = !app.hideValues && set === own && answer.value?.by === "mate" ? answer.value.dtm : null;
      if (asking.signal.aborted) return;
      const missing = tables.has(set) ? null : make("p", { class: "quiet" }, t("notInstalled", { set: setName(set) }));
      this.fill(choice, missing, shares(statistics), chart(statistics, here, element.clientWidth), this.facts(statistics), table(statistics));
    } catch (error) {
      if (!aborted(error)) this.fill(this.app.away ? null : make("p", { class: "quiet" }, trouble(error)));
    }
  }

  fill(...parts) {
    refill(this.element, this.app.away ? make("p", { class: "problem" }, t("away")) : null, ...parts);
    this.element.ariaBusy = "false";
  }

  choice(set, own) {
    const pick = (chosen) => {
      this.chosen = chosen;
      this.chosenFor = own;
      this.show();
    };
    return make("div", { class: "set-choice" }, pickSet("statistics", set || "none", pick), make("strong", { id: "statistics-set", role: "status" }, set === "" ? "–" : setName(set)));
  }

  facts(s) {
    const link = (sfen, name, n) => (n < 0 ? null : make("li", {}, this.link(sfen, t(name, { n }))));
    return make("ul", { class: "facts" },
      link(s.longest_win, "longestWin", s.max_win),
      link(s.longest_loss, "longestLoss", s.max_loss),
      make("li", {}, t("zugzwangs", { n: number(s.mutual_zugzwangs) })),
      make("li", {}, t("size", { outcome: bytes(s.outcome_bytes), distance: bytes(s.distance_bytes) })));
  }

  link(sfen, name) {
    const position = parse(sfen);
    return linkTo(this.app, position, {}, () => this.app.load(position, { push: true, trusted: true }), name);
  }
}

// atlas asks once for the names of the sets whose statistics the server knows without tables.
let sets = null;
function atlas() {
  sets ??= get("atlas").then((reply) => reply.sets);
  sets.catch(() => (sets = null));
  return sets;
}

function bytes(n) {
  const power = Math.min(Math.floor(Math.log2(Math.max(n, 1)) / 10), 3);
  return `${(n / 1024 ** power).toFixed(power && 1)} ${["B", "KiB", "MiB", "GiB"][power]}`;
}

// outcomes are the parts of a set, [name, count].
const outcomes = (s) => [
  ["win", s.mate_wins], ["perpetualWin", s.perpetual_wins], ["open", s.open], ["perpetualLoss", s.perpetual_losses], ["loss", s.mate_losses],
];

function shares(s) {
  const percent = (n) => ((100 * n) / s.legal).toFixed(n > 0 && n < s.legal / 1000 ? 3 : 1);
  const bar = make("div", { class: "shares", "aria-hidden": "true" });
  for (const [name, n] of outcomes(s)) {
    if (n === 0) continue;
    const part = make("span", { class: name, title: `${t(`share.${name}`)}: ${percent(n)}%` });
    part.style.flexGrow = n;
    bar.append(part);
  }
  const rows = outcomes(s).filter(([name, n]) => n > 0 || !name.startsWith("perpetual")).map(([name, n]) => make("tr", {},
    make("th", { scope: "row" }, make("span", { class: `swatch ${name}`, "aria-hidden": "true" }), t(`share.${name}`)),
    make("td", {}, number(n)), make("td", {}, `${percent(n)}%`)));
  rows.push(make("tr", { class: "total" }, make("th", { scope: "row" }, t("legal")), make("td", {}, number(s.legal)), make("td", {})));
  return make("div", {}, bar, make("table", { class: "counts" }, make("caption", {}, t("sharesCaption")), make("tbody", {}, ...rows)));
}

// chart has the two histograms of distances on a logarithmic scale, as wide as there is room: of the positions in which the side
// to move mates, upwards, and of those in which it is mated, downwards. here is the distance to mark.
function chart(s, here, room) {
  const width = Math.min(Math.max(room, 320), 640);
  const [left, right, top, half, band] = [44, 12, 46, 96, 22]; // the numbers of plies are in the band between
  const axes = { win: top + half, loss: top + half + band };
  const height = axes.loss + half + 26;
  const powers = Math.max(1, Math.ceil(Math.log10(Math.max(...s.histogram, 1))));
  const tall = (n) => (n > 0 ? ((Math.log10(n) + 0.15) / (powers + 0.15)) * half : 0);
  const step = (width - left - right) / (s.histogram.length + 1);
  const middle = (plies) => left + (plies + 1) * step;
  const label = t("chartLabel", { set: setName(s.material), max: s.histogram.length - 1, here });
  const drawing = svg("svg", { class: "chart", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label });
  for (let power = 0; power <= powers; power++) {
    for (const y of [axes.win - tall(10 ** power), axes.loss + tall(10 ** power)]) {
      drawing.append(svg("path", { class: "rule", d: `M${left} ${y}H${width - right}` }), words("end", left - 6, y + 4, power % 2 === powers % 2 ? short(10 ** power) : ""));
    }
  }
  const broad = Math.max(2 * step - (step > 2 ? 1.4 : 0.4), 1);
  s.histogram.forEach((n, plies) => {
    const side = plies % 2 ? "win" : "loss";
    const bar = svg("rect", {
      class: `${side} ${plies === here ? "here" : ""}`, x: middle(plies) - broad / 2, width: broad, height: tall(n), y: side === "win" ? axes.win - tall(n) : axes.loss,
    });
    bar.append(svg("title"));
    bar.firstChild.textContent = t("bar", { plies, n: number(n) });
    drawing.append(bar);
  });
  const every = [2, 4, 10, 20, 50].find((e) => e * step >= 26) ?? 100;
  for (let plies = 0; plies < s.histogram.length; plies += every) drawing.append(words("middle", middle(plies), axes.win + band / 2 + 4.5, plies));
  drawing.append(words("end", width - right, 14, t("chartWins"), "of-wins"), words("end", width - right, axes.loss + half + 18, t("chartLosses"), "of-losses"));
  if (here !== null && here < s.histogram.length) {
    const [x, wins] = [middle(here), here % 2 === 1];
    const y = wins ? axes.win - tall(s.histogram[here]) - 3 : axes.loss + tall(s.histogram[here]) + 3;
    drawing.append(svg("path", { class: "marker", d: `M${x} ${y}l-6 ${wins ? -9 : 9}h12Z` }),
      words(x > width - 90 ? "end" : x < left + 60 ? "start" : "middle", x, wins ? y - 13 : y + 22, t("thisPosition", { n: here }), "marker-text"));
  }
  return drawing;
}

function words(anchor, x, y, text, name = "") {
  const element = svg("text", { class: name, x, y, "text-anchor": anchor });
  element.textContent = text;
  return element;
}

// short is a power of ten with little room.
const short = (n) => n.toLocaleString(settings.language, { notation: "compact" });

// table has the numbers of the chart, and those of the ranks.
function table(s) {
  const rows = (list, first) => list.map((n, i) => make("tr", {}, make("th", { scope: "row" }, String(i + first)), make("td", {}, number(n))));
  const part = (name, list, first) => (list.length === 0 ? null
    : make("table", { class: "counts" }, make("caption", {}, t(name)), make("tbody", {}, ...rows(list, first))));
  return make("details", {}, make("summary", {}, t("allNumbers")), make("div", { class: "columns" },
    part("histogramCaption", s.histogram, 0), part("rankWins", s.rank_wins, 1), part("rankLosses", s.rank_losses, 1)));
}
