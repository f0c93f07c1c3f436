// What is wrong, in the visitor's language: the server speaks English.

import { sideName, t } from "./words.js";

// rules are those that a position can break, by what the server says of it. What they find is a side, a
// kind of piece, or nothing.
const rules = [
  [/: no king$/, "noKing"],
  [/: a second king of (\w+)$/, "secondKing"],
  [/more than two pieces of the kind ([RBGSP])|pieces of kind ([RBGSP]), at most 2/, "thirdPiece"],
  [/\d is no number of pieces|two digits in a row$/, "manyInHand"],
  [/: a pawn of (\w+) that can never move$/, "deadPawn"],
  [/: a second pawn of (\w+) on the file$/, "secondPawn"],
  [/: the kings are adjacent$/, "kingsMeet"],
  [/: (\w+) is in check, but \w+ is to move$/, "otherInCheck"],
];

// positionFault is why a position is not legal.
export function positionFault(message) {
  for (const [pattern, name] of rules) {
    const found = message.match(pattern);
    if (!found) continue;
    const what = found.slice(1).find((part) => part !== undefined);
    return t("faults")[name]({ side: sideName(what === "sente" ? "b" : "w"), piece: t("plain")[what] });
  }
  return message;
}

// trouble is why there is no answer: an error of the API.
export function trouble(error) {
  if (error.status === 0) return t("away");
  return t("troubles")[error.code] ?? error.message;
}
