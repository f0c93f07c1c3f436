// Reviews: what the server finds in a game, move by move, and how it is said.

import { get, stream } from "./api.js";
import { lineOf, usiOf } from "./game-file.js";
import { rule } from "./answer.js";
import { other } from "./sfen.js";
import { sideName, t } from "./words.js";

const worthAMark = ["only", "longer", "missed-mate", "allowed-mate", "shortened", "inaccuracy", "mistake", "blunder", "illegal"];

// judged is the judgement of a move {kind, short, text}, null if there is nothing to say.
export function judged(review) {
  if (!review || !worthAMark.includes(review.judgement)) return null;
  const { judgement: kind, mate: n, before, after, proved } = review;
  const about = kind === "allowed-mate" ? after : before; // the position that has the mate
  const other = typeof after.dtm === "number" ? after.dtm + 1 : null; // plies that it takes after the move
  const values = { n, least: about.at_most ? "≤" : "", atMost: Boolean(about.at_most), more: other && n && other > n ? other - n : null, fewer: other && n && other < n ? n - other : null };
  return { kind, short: t("marks")[kind](values), text: [t("judgements")[kind](values), proved ? "" : t("notProved")].filter(Boolean).join(" ") };
}

// found is what is known of a node's position: by the review of the move that led to it, or of the one that follows.
export function found(node) {
  return node.review?.after ?? node.next?.review?.before ?? node.children.find((child) => child.review)?.review.before ?? null;
}

// valueOf is what is known of a node's position in words: {winner, plies, short, text, chance}, null if nothing is. chance is
// Sente's.
export function valueOf(node) {
  const value = found(node);
  if (!value) return null;
  const { turn } = node.position;
  const winner = { win: turn, loss: other(turn) }[value.category] ?? "";
  const chance = value.chance === undefined || value.chance === null ? null : turn === "b" ? value.chance : 1 - value.chance;
  const side = winner && sideName(winner);
  const mark = winner === "b" ? "▲" : "△";
  if (winner && value.by === "mate") {
    const plies = value.dtm ?? value.at_most ?? null;
    if (plies === 0) return { winner, plies, chance: null, short: t("mated"), text: t("matedLong", { side }) };
    const exact = value.dtm !== null && value.dtm !== undefined;
    return { winner, plies, exact, chance: null, short: `${mark}${exact ? "" : "≤"}${plies ?? "#"}`, text: plies === null ? t("matesSometime", { winner: side }) : t(exact ? "mates" : "matesWithin", { winner: side, n: plies }) };
  }
  if (winner) return { winner, plies: null, chance: null, short: `${mark}∞`, text: t(value.by === "perpetual" ? "winsPerpetual" : "winsRepetition", { side }) };
  if (value.category === "draw") return { winner: "draw", plies: null, chance: 0.5, short: "=", text: t("drawn") };
  const none = value.max_plies > 0 ? t("noMateWithin", { n: value.max_plies }) : t("undecided");
  return { winner: "", plies: null, chance, short: chance === null ? "" : `${Math.round(100 * chance)}%`, text: [chance === null ? "" : t("chance", { n: Math.round(100 * chance) }), none].filter(Boolean).join(" ") };
}

// review asks about the line that is shown and puts what comes into its nodes; each hears of every one. What comes back is the
// summary, null if there was none. A signal stops it.
export async function review(game, signal, each) {
  const { nodes } = lineOf(game);
  let summary = null;
  for await (const said of stream(`review?${new URLSearchParams(Object.entries(rule()).filter(([, value]) => value !== undefined))}`, usiOf(game), signal)) {
    if (said.summary) {
      summary = said.summary;
      continue;
    }
    const node = nodes[said.ply - 1];
    if (node?.move !== said.move) continue;
    const { game: number, ply, sfen, move, ...rest } = said;
    node.review = rest;
    each(node);
  }
  return summary;
}

// named are moves from a position on with all their names.
export async function named(sfen, moves) {
  const { moves: list } = await get("game", { sfen, moves: moves.join(","), names: true });
  return list;
}
