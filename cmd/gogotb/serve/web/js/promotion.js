// The question whether a piece promotes.

import { pieceName } from "./notation.js";
import { drawPiece, svg } from "./pieces.js";
import { settings } from "./settings.js";
import { make, t } from "./words.js";

// askPromotion asks which of the moves of a piece it shall be: its USI, or "" for none.
export async function askPromotion(moves, piece) {
  const dialog = document.getElementById("promotion");
  const option = (usi) => {
    const promotes = usi.endsWith("+");
    const shown = promotes ? `+${piece}` : piece;
    const picture = svg("svg", { viewBox: "0 0 100 100", "aria-hidden": "true" });
    const turned = (piece !== piece.toUpperCase()) !== settings.flipped;
    picture.append(svg("g", turned ? { transform: "rotate(180 50 50)" } : {}, drawPiece(shown, settings.pieces, turned ? 180 : 0)));
    return make("button", { type: "button", "data-usi": usi, onclick: () => dialog.close(usi) }, picture,
      make("span", {}, t(promotes ? "promoteYes" : "promoteNo")), make("span", { class: "quiet" }, pieceName(shown)));
  };
  moves.sort((a, b) => b.length - a.length); // promotion first
  dialog.returnValue = "";
  dialog.querySelector("div").replaceChildren(...moves.map(option));
  await new Promise(requestAnimationFrame); // the click that brought the piece here is over
  let pressed = false; // a key, since the question was asked: the one that brought the piece here is not the answer
  dialog.onkeydown = (event) => (pressed ||= !event.repeat);
  dialog.onkeypress = (event) => pressed || event.preventDefault();
  dialog.showModal();
  return new Promise((done) => dialog.addEventListener("close", () => done(dialog.returnValue), { once: true }));
}

// closeOutside lets a tap beside a dialog close it, as its button of cancelling does.
export function closeOutside(dialog) {
  dialog.addEventListener("click", ({ target, clientX: x, clientY: y }) => {
    const { left, right, top, bottom } = dialog.getBoundingClientRect();
    if (target === dialog && (x < left || x > right || y < top || y > bottom)) dialog.close("");
  });
}
