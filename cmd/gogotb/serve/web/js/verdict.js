// The verdict in words.

import { settings } from "./settings.js";
import { other } from "./sfen.js";
import { winner } from "./answer.js";
import { sideName, t } from "./words.js";

// verdict is {text, more, outcome}: outcome colours it, "b", "w", "draw" or "". reviewed is what a review of the game has found
// of the position, null if there is nothing.
export function verdict(answer, reviewed = null) {
  const say = (name, values = {}, more = "", outcome = winner(answer) ?? "") => ({ text: t(name, values), more, outcome });
  if (answer.state === "illegal") return say("illegal", {}, answer.message);
  if (answer.state === "failed") return say("failed", {}, answer.message);
  if (answer.state === "away") return say("unknown");
  const { turn } = answer.position;
  const sides = { winner: sideName(winner(answer) ?? turn), loser: sideName(other(winner(answer) ?? other(turn))), turn: sideName(turn), other: sideName(other(turn)) };
  if (answer.over) return say(answer.over, sides);
  const toPlay = t(answer.check ? "toPlayInCheck" : "toPlay", sides);
  if (!answer.value && !answer.found && reviewed?.winner) return { text: reviewed.text.replace(/[.。]$/, ""), more: `${toPlay} ${t("foundByReview")}`, outcome: reviewed.winner };
  if (!answer.value) return searched(answer, sides, toPlay, say);
  const { category, by, dtm, rank } = answer.value;
  if (by === "mate") return say(dtm === null ? "matesSometime" : "mates", { ...sides, n: dtm }, toPlay);
  if (by === "perpetual") return say("perpetual", sides, rank === null ? toPlay : `${toPlay} ${t("rank", { ...sides, rank })}`);
  if (category === "draw") return say("open", { second: sideName(other(settings.firstPlayer)) }, `${toPlay} ${t("openMore")}`, "draw");
  return say("openTournament", { ...sides, first: sideName(settings.firstPlayer) }, `${toPlay} ${t("openMore")}`);
}

// searched is the verdict where no table covers the position.
function searched({ found, search }, sides, toPlay, say) {
  switch (found?.category) {
    case "win":
    case "loss": return say("mates", { ...sides, n: found.dtm }, `${toPlay} ${t("foundBySearch")}`);
    case "no-mate": return say("searchNone", {}, toPlay);
  }
  return say(["soon", "running"].includes(search?.phase) ? "searching" : search?.phase === "unknown" ? "searchUnknown" : "notSearched", {}, toPlay);
}
