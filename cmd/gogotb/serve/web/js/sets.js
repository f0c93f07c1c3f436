// Material sets, picked piece by piece.

import { drawPiece, svg } from "./pieces.js";
import { settings } from "./settings.js";
import { kinds } from "./sfen.js";
import { make, t } from "./words.js";

const most = 2; // pieces of a kind

// pickSet is a row of the pieces, each with how many of it the set has; one more, or after two none, when it is pressed.
// change is told of the set that comes of it.
export function pickSet(prefix, set, change) {
  const counts = Object.fromEntries(kinds.map((kind) => [kind, [...(set === "none" ? "" : set)].filter((k) => k === kind).length]));
  return make("div", { class: "pick", role: "group", "aria-label": t("set") }, ...kinds.map((kind) => {
    const shown = make("span", { "aria-hidden": "true" });
    const button = make("button", { type: "button", id: `${prefix}-${kind}`, title: t("plain")[kind], onclick: () => {
      counts[kind] = (counts[kind] + 1) % (most + 1);
      show();
      change(kinds.map((k) => k.repeat(counts[k])).join("") || "none");
    } }, svg("svg", { viewBox: "0 0 100 100", "aria-hidden": "true" }, drawPiece(kind, settings.pieces)), shown);
    const show = () => {
      const n = counts[kind];
      shown.textContent = button.dataset.count = n;
      button.classList.toggle("has", n > 0);
      button.ariaLabel = t("pick", { piece: t("plain")[kind], n });
    };
    show();
    return button;
  }));
}
