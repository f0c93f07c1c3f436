// Reads KIF with other programs. Standard input is a JSON array of games, each a text with a board of 5x5 squares and the same
// with one of 9x9; standard output an array of what each program made of it.
import { readFileSync } from 'node:fs';
import jkf from 'json-kifu-format';
import { makeSfen } from 'shogiops/sfen';
import { makeUsi } from 'shogiops/util';
import { parseKifHeader, parseKifMovesOrDrops } from 'shogiops/notation/kif';
import { importKIF, Move } from 'tsshogi';

// tsshogi: the path of every move of the tree, in USI.
function tsshogi(nine) {
  const record = importKIF(nine);
  if (record instanceof Error) throw record;
  const paths = [];
  const walk = (node, path) => {
    for (let next = node.next; next; next = next.branch) {
      if (!(next.move instanceof Move)) continue;
      const longer = [...path, next.move.usi];
      paths.push(longer.join(' '));
      walk(next, longer);
    }
  };
  walk(record.first, []);
  return paths;
}

// json-kifu-format, whose grammar takes nothing but what it knows: the same.
function kifuForJS(nine) {
  const letters = { FU: 'P', GI: 'S', KI: 'G', KA: 'B', HI: 'R' };
  const paths = [];
  const square = (s) => s.x + 'abcdefghi'[s.y - 1];
  const walk = (moves, path, last) => {
    for (const m of moves) {
      for (const fork of m.forks ?? []) walk(fork, path, last);
      if (!m.move) continue;
      const to = m.move.same ? last : m.move.to;
      const usi = m.move.from ? square(m.move.from) + square(to) + (m.move.promote ? '+' : '') : letters[m.move.piece] + '*' + square(to);
      path = [...path, usi];
      paths.push(path.join(' '));
      last = to;
    }
  };
  walk(jkf.Parsers.parseKIF(nine).moves, [], undefined);
  return paths;
}

// shogiops: the position, and the moves of the game without variations.
function shogiops(five) {
  const header = parseKifHeader(five);
  if (header.isErr) throw header.error;
  const lines = five.split('変化：')[0].split('\n').filter((line) => /^ *[0-9]+ /.test(line));
  return { sfen: makeSfen(header.value), moves: parseKifMovesOrDrops(lines).map(makeUsi).join(' ') };
}

const attempt = (read) => {
  try {
    return { read: read() };
  } catch (error) {
    return { error: String(error) };
  }
};

const games = JSON.parse(readFileSync(0, 'utf8'));
console.log(
  JSON.stringify(
    games.map((g) => ({
      tsshogi: attempt(() => tsshogi(g.nine)),
      kifuForJS: attempt(() => kifuForJS(g.nine)),
      shogiops: attempt(() => shogiops(g.five)),
    })),
  ),
);
