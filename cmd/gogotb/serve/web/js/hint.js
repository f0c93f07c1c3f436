// Hints in two steps: first the piece that is to move, then where it goes.

import { moveText } from "./notation.js";
import { kindOf, moveParts } from "./sfen.js";
import { t } from "./words.js";

// Hint remembers of which position a hint has been given.
export class Hint {
  constructor(board) {
    Object.assign(this, { board, answer: null });
  }

  // next shows the next step for a move of an answer, and returns it in words.
  next(answer, move, before) {
    const whole = this.answer === answer;
    this.answer = answer;
    const { drop, from } = moveParts(move.usi);
    const piece = drop ?? answer.position.board[from];
    const say = whole ? t("hintMove", { move: moveText(move, before) })
      : t(drop ? "hintDrop" : "hintPiece", { piece: (piece.length > 1 ? t("promoted") : t("plain"))[kindOf(piece)] });
    return { say, show: () => (whole ? this.board.point(move.usi, move.outcome ?? "win") : this.board.hint(move.usi)) };
  }
}
