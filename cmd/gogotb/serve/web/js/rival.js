// The other side's moves in practice and puzzles.

import { same } from "./answer.js";

// How often each strength plays the best move; otherwise it gives distance away, never the result.
export const strengths = { gentle: 0.4, middling: 0.75, best: 1 };

const any = (list) => list[Math.floor(Math.random() * list.length)];

// reply is the move of the side to move, of the moves of an answer with values.
export function reply(answer, strength) {
  const [first] = answer.moves;
  const best = answer.moves.filter((m) => same(m.value, first.value));
  const keeping = answer.moves.filter((m) => m.outcome === first.outcome && m.value.by === first.value.by && !same(m.value, first.value));
  return keeping.length > 0 && Math.random() >= strengths[strength] ? any(keeping) : any(best);
}

export const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
