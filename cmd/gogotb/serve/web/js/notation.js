// Moves as people write them.

import { notation } from "./settings.js";
import { kindOf, moveParts } from "./sfen.js";
import { t } from "./words.js";

const digits = "０１２３４５";
const ranks = "〇一二三四五";
const names = {
  K: "玉", R: "飛", B: "角", G: "金", S: "銀", P: "歩", "+R": "竜", "+B": "馬", "+S": "成銀", "+P": "と",
};

// moveText is a move {usi, western} of a position in the notation chosen. Where promotion is
// declined, western notation says so with "=".
export function moveText(move, position) {
  switch (notation()) {
    case "usi": return move.usi;
    case "western": return move.western;
  }
  const { drop, from, to, promote } = moveParts(move.usi);
  const square = digits[5 - (to % 5)] + ranks[Math.floor(to / 5) + 1];
  if (drop) return `${square}${names[drop]}打`;
  const suffix = promote ? "成" : move.western.endsWith("=") ? "不成" : "";
  return `${square}${names[position.board[from].toUpperCase()]}${suffix}(${5 - (from % 5)}${Math.floor(from / 5) + 1})`;
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
