// Positions as the page handles them, and SFEN. What is legal the server knows; here
// pieces are only put where they go.
//
// A position is {board, hands, turn, number}: board[0..24] in reading order, each null or a piece
// as in SFEN ("R", "+r"); hands.b and hands.w count the kinds of "RBGSP"; turn is "b" (Sente)
// or "w" (Gote).

export const kinds = [..."RBGSP"];
export const start = "rbsgk/4p/5/P4/KGSBR b - 1";

export const handicaps = [
  ["bishop", "r1sgk/4p/5/P4/KGSBR w - 1"],
  ["rook", "1bsgk/4p/5/P4/KGSBR w - 1"],
  ["twoPiece", "2sgk/4p/5/P4/KGSBR w - 1"],
  ["threePiece", "3gk/4p/5/P4/KGSBR w - 1"],
  ["fourPiece", "4k/4p/5/P4/KGSBR w - 1"],
  ["nakedKing", "4k/5/5/P4/KGSBR w - 1"],
];

export const owner = (piece) => (piece.at(-1) === piece.at(-1).toUpperCase() ? "b" : "w");
export const other = (turn) => (turn === "b" ? "w" : "b");
export const kindOf = (piece) => piece.at(-1).toUpperCase();
export const ownedBy = (side, piece) => (side === "b" ? piece.toUpperCase() : piece.toLowerCase());
export const canPromote = (piece) => /^[RBSP]$/i.test(piece);

// squareName is "5a" for 0, squareIndex the reverse.
export const squareName = (index) => `${5 - (index % 5)}${"abcde"[Math.floor(index / 5)]}`;
export const squareIndex = (name) => 5 - Number(name[0]) + 5 * "abcde".indexOf(name[1]);

const mostInHand = 99; // of a kind that can be shown; far from legal
const lastNumber = 999999; // of a move, as the server counts

const emptyHand = () => ({ R: 0, B: 0, G: 0, S: 0, P: 0 });

export function emptyPosition() {
  const board = Array(25).fill(null);
  board[4] = "k";
  board[20] = "K";
  return { board, hands: { b: emptyHand(), w: emptyHand() }, turn: "b", number: 1 };
}

export function copy(position) {
  return {
    board: [...position.board],
    hands: { b: { ...position.hands.b }, w: { ...position.hands.w } },
    turn: position.turn,
    number: position.number,
  };
}

// parse reads an SFEN that can be shown; null if the text is none. Whether the position is legal
// is another question, for the server.
export function parse(text) {
  const [rows, turn = "b", hands = "-", number = "1", ...rest] = text.trim().split(/\s+/);
  const ranks = rows.split("/");
  if (ranks.length !== 5 || !/^[bw]$/.test(turn) || !/^[1-9]\d{0,5}$/.test(number) || rest.length > 0) return null;
  const position = { board: [], hands: { b: emptyHand(), w: emptyHand() }, turn, number: Number(number) };
  for (const rank of ranks) {
    const squares = rank.match(/[1-5]|\+[rbsp]|[rbgspk]/gi) ?? [];
    if (squares.join("") !== rank) return null;
    const cells = squares.flatMap((s) => (/\d/.test(s) ? Array(Number(s)).fill(null) : [s]));
    if (cells.length !== 5) return null;
    position.board.push(...cells);
  }
  if (hands !== "-") {
    const held = hands.match(/\d{0,2}[rbgsp]/gi) ?? [];
    if (held.join("") !== hands) return null;
    for (const h of held) position.hands[owner(h)][kindOf(h)] += h.length > 1 ? Number(h.slice(0, -1)) : 1;
    if (Object.values(position.hands).some((hand) => Object.values(hand).some((n) => n > mostInHand))) return null;
  }
  return position;
}

// format writes an SFEN in the server's normal form.
export function format(position, numbered = true) {
  const ranks = [];
  for (let rank = 0; rank < 5; rank++) {
    const cells = position.board.slice(5 * rank, 5 * rank + 5).map((p) => p ?? "1").join("");
    ranks.push(cells.replace(/1+/g, (run) => run.length));
  }
  let hands = "";
  for (const side of ["b", "w"]) {
    for (const kind of kinds) {
      const n = position.hands[side][kind];
      if (n > 0) hands += (n > 1 ? n : "") + ownedBy(side, kind);
    }
  }
  const text = `${ranks.join("/")} ${position.turn} ${hands || "-"}`;
  return numbered ? `${text} ${position.number}` : text;
}

// moveParts takes a USI move apart: {drop, from, to, promote}.
export function moveParts(usi) {
  const drop = usi[1] === "*" ? usi[0] : null;
  return { drop, from: drop ? null : squareIndex(usi), to: squareIndex(usi.slice(2)), promote: usi.endsWith("+") };
}

// play is the position after a legal move.
export function play(position, usi) {
  const { drop, from, to, promote } = moveParts(usi);
  const next = copy(position);
  if (drop) {
    next.hands[next.turn][drop]--;
    next.board[to] = ownedBy(next.turn, drop);
  } else {
    const taken = next.board[to];
    if (taken && kindOf(taken) !== "K") next.hands[next.turn][kindOf(taken)]++;
    next.board[to] = (promote ? "+" : "") + next.board[from];
    next.board[from] = null;
  }
  next.turn = other(next.turn);
  next.number = Math.min(next.number + 1, lastNumber);
  return next;
}

// material is the set of pieces beside the kings, "GSP", or "none".
export function material(position) {
  const count = emptyHand();
  for (const piece of position.board) if (piece && kindOf(piece) !== "K") count[kindOf(piece)]++;
  for (const side of ["b", "w"]) for (const kind of kinds) count[kind] += position.hands[side][kind];
  return kinds.map((kind) => kind.repeat(count[kind])).join("") || "none";
}

export const bothKings = (position) => position.board.includes("K") && position.board.includes("k");

// mirrored exchanges left and right.
export function mirrored(position) {
  const next = copy(position);
  next.board = position.board.map((_, i) => position.board[i + 4 - 2 * (i % 5)]);
  return next;
}

// rotated is the position seen by the other side: the board turned by 180 degrees, the colours exchanged.
export function rotated(position) {
  const next = copy(position);
  next.board = [...position.board].reverse().map((p) => p && ownedBy(other(owner(p)), p));
  next.hands = { b: { ...position.hands.w }, w: { ...position.hands.b } };
  next.turn = other(position.turn);
  return next;
}

// toAddress writes an SFEN as it stands in an address: spaces as "_", "+" escaped, without the move number 1.
export const toAddress = (sfen) => sfen.replace(/ 1$/, "").replaceAll(" ", "_").replaceAll("+", "%2B");

// fromAddress reads the SFEN of an address, as a position or null. A plus sign is easily forgotten to escape, and arrives
// as a space: what is a space where the board is not complete was one.
export function fromAddress(text) {
  let [rank, cells, board] = [1, 0, ""];
  const said = text.replace(/^ +(?![ rbsp])/i, ""); // before what cannot be promoted it is a space too many
  for (const sign of said) {
    if (/[ _]/.test(sign) && rank === 5 && cells === 5) break;
    if (sign === "/") [rank, cells] = [rank + 1, 0];
    else if (/[1-5]/.test(sign)) cells += Number(sign);
    else if (/[rbgspk]/i.test(sign)) cells++;
    board += sign === " " ? "+" : sign;
  }
  return parse((board + said.slice(board.length)).replaceAll("_", " "));
}

// fromText reads what people paste as a position, or null: an SFEN, also with the words that USI has before it, or a link.
export function fromText(text) {
  const link = /^https?:/.test(text.trim()) && URL.canParse(text.trim()) ? new URL(text.trim()).searchParams.get("sfen") : null;
  return link === null ? parse(text.trim().replace(/^(position\s+)?(sfen\s+)?/, "").replaceAll("_", " ")) : fromAddress(link);
}
