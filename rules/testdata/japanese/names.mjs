// Writes moves with other programs. Standard input is a JSON array of {five, nine, usi, last}: a position on 5x5 squares, the
// same in the upper right corner of 9x9, a move, and the square that the one before went to or "". Standard output is an
// array of {shogiops, tsshogi}.
import { readFileSync } from 'node:fs';
import { makeJapaneseMoveOrDrop } from 'shogiops/notation/japanese';
import { parseSfen } from 'shogiops/sfen';
import { parseSquareName, parseUsi } from 'shogiops/util';
import { formatMove, Position } from 'tsshogi';

function shogiops({ five, usi, last }) {
  const position = parseSfen('minishogi', five, false).unwrap();
  return makeJapaneseMoveOrDrop(position, parseUsi(usi), last ? parseSquareName(last) : undefined);
}

function tsshogi({ nine, usi, last }) {
  const position = Position.newBySFEN(nine);
  const move = position.createMoveByUSI(usi);
  const same = last !== '' && last === usi.slice(2, 4);
  return formatMove(position, move, { lastMove: same ? move : undefined });
}

const asked = JSON.parse(readFileSync(0, 'utf8'));
console.log(JSON.stringify(asked.map((a) => ({ shogiops: shogiops(a), tsshogi: tsshogi(a) }))));
