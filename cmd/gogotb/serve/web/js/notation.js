// Moves as people write them.

import { notation } from "./settings.js";
import { kindOf } from "./sfen.js";
import { t } from "./words.js";

// moveText is a move {usi, western, japanese} in the notation chosen. The server names moves; in Japanese one that goes
// where the move before it went, in USI, is written 同 in place of the square.
export function moveText(move, before) {
  const text = move[notation()];
  return notation() === "japanese" && before?.slice(2, 4) === move.usi.slice(2, 4) ? text.replace(/^[１-５][一二三四五]/, "同") : text;
}

// pieceName is a piece in words: "Gote's promoted silver".
export function pieceName(piece) {
  return (piece.length > 1 ? t("promoted") : t("plain"))[kindOf(piece)];
}

// squareText is a square in words, for who hears it: by file and rank, as the board has them at its edges.
export function squareText(square) {
  const rank = Math.floor(square / 5);
  return t("fileAndRank", { file: 5 - (square % 5), rank: rankNames()[rank] });
}

// rankNames are those of the ranks at the edge of the board.
export function rankNames() {
  return [...{ japanese: "一二三四五", usi: "abcde", western: "12345" }[notation()]];
}
