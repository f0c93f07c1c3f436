// A mate by search, for positions that no table covers.

import { aborted, get } from "./api.js";
import { trouble } from "./faults.js";
import { linkTo } from "./link.js";
import { moveText } from "./notation.js";
import { other, play } from "./sfen.js";
import { make, sideName, t } from "./words.js";

const [usual, longest] = [10, 30]; // seconds

// search asks for a mate and shows what comes back; one that was undecided is given more time when it is asked for again.
// It ends when another position is shown: nobody waits for it then.
export async function search(app, answer, button, result) {
  if (button.ariaDisabled === "true") return;
  button.ariaDisabled = "true"; // and not disabled, which would take the focus from it
  result.textContent = t("searching");
  try {
    const found = await get("solve", { sfen: answer.sfen, timeout: `${button.dataset.seconds ?? usual}s` }, app.shown);
    if (app.answer === answer) result.replaceChildren(...describe(app, answer, found));
    if (found.category === "unknown" && !found.cut_short) {
      button.dataset.seconds = longest;
      button.textContent = t("searchLonger", { n: longest });
    }
  } catch (error) {
    if (!aborted(error)) result.textContent = trouble(error);
  }
  button.ariaDisabled = "false";
}

function describe(app, answer, found) {
  const { turn } = answer.position;
  if (found.category === "unknown") return [t(found.cut_short ? "searchCutShort" : "searchUnknown")];
  if (found.category === "no-mate") return [found.max_plies === undefined ? t("searchNone") : t("searchWithin", { n: found.max_plies })];
  const winner = sideName(found.category === "win" ? turn : other(turn));
  const list = make("ol", { class: "line-moves" });
  let { position } = answer;
  for (const [i, usi] of found.line.entries()) {
    const mark = position.turn === "b" ? "▲" : "△";
    const move = { usi, western: found.western[i], japanese: found.japanese[i] };
    const go = async () => {
      for (const [n, step] of found.line.slice(0, i + 1).entries()) await app.play(step, { push: n === 0 });
    };
    position = play(position, usi);
    list.append(make("li", {}, linkTo(app, position, {}, go, make("span", { class: "mark", "aria-hidden": "true" }, mark), moveText(move, i === 0 ? app.game.lastMove : undefined))));
  }
  return [t("searchFound", { winner, n: found.dtm }), list];
}
