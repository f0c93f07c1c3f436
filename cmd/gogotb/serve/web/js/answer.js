// What the server says of a position, in one shape for all of the page.

import { ApiError, aborted, get } from "./api.js";
import { positionFault, trouble } from "./faults.js";
import { settings } from "./settings.js";
import { bothKings, format, material, other } from "./sfen.js";

// same tells whether two values are equal.
export const same = (a, b) => a.category === b.category && a.by === b.by && a.dtm === b.dtm && a.rank === b.rank;

// bestOutcome ranks outcomes.
export const bestOutcome = { loss: 0, draw: 1, win: 2 };

export const opposite = { win: "loss", loss: "win", draw: "draw" };

let tables = null; // a promise of them by material, once they are asked for

// knownTables asks for the tables once; a server that was not there is asked again.
export function knownTables() {
  tables ??= get("tables").then(({ tables: list }) => new Map(list.map((table) => [table.material, table])));
  tables.catch(() => (tables = null));
  return tables;
}

// consult asks for everything about a position. The answer:
//   state     "ok", "illegal" (then with message), "failed" (a message too), "away"
//   value     {category, by, dtm, rank} for the side to move; null if no table covers it
//   check     whether the side to move is in check
//   moves     [{usi, western, japanese, value, outcome, tier}], best first if there is a value. value is that of
//             the position after the move, outcome what the move means for the one who makes it, and
//             tier how many moves are better
//   found     what a search has found, if no table covers it
//   over      null, "checkmate" or "stalemate"
export async function consult(position, trusted, signal) {
  const sfen = format(position);
  const answer = { sfen, position, set: material(position), state: "ok", message: "", value: null, found: null, search: null, check: false, moves: [], over: null };
  try {
    let known = trusted && bothKings(position) && (await knownTables()).has(answer.set);
    if (!known) known = await askRules(answer, signal);
    if (answer.state === "ok" && known) await askTables(answer, signal);
  } catch (error) {
    if (aborted(error)) throw error;
    if (!(error instanceof ApiError)) throw error;
    answer.state = error.status === 0 ? "away" : "failed";
    answer.message = trouble(error);
  }
  if (answer.state === "ok" && answer.moves.length === 0) answer.over = answer.check ? "checkmate" : "stalemate";
  return answer;
}

// askRules asks for the moves, and returns whether there is a table.
async function askRules(answer, signal) {
  const rules = await get("position", { sfen: answer.sfen }, signal);
  if (!rules.legal) {
    answer.state = "illegal";
    answer.message = positionFault(rules.error);
    return false;
  }
  answer.check = rules.check;
  answer.moves = rules.moves.map((m) => ({ ...m, value: null, outcome: null, tier: 0 }));
  if (rules.table && !(await knownTables()).has(answer.set)) tables = null; // there are new ones
  return rules.table;
}

async function askTables(answer, signal) {
  const probe = await get("probe", { sfen: answer.sfen, names: true, ...rule() }, signal);
  answer.check = probe.check;
  answer.value = probe;
  answer.moves = probe.moves.map((m) => ({ usi: m.usi, western: m.western, japanese: m.japanese, value: m, outcome: opposite[m.category] }));
  answer.moves.forEach((m, i) => (m.tier = i > 0 && same(m.value, answer.moves[i - 1].value) ? answer.moves[i - 1].tier : i));
}

// rule is the choice of what repetition means, as parameters.
export const rule = () => ({
  repetition: settings.repetition,
  first_player: settings.repetition === "draw" ? undefined : settings.firstPlayer,
});

export const winner = (answer) => {
  const { turn } = answer.position;
  if (answer.over) return other(turn);
  return { win: turn, loss: other(turn), draw: null }[(answer.value ?? answer.found)?.category] ?? null;
};
