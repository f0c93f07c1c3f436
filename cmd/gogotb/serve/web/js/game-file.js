// Games of files: read by the server, and made into trees; links to games; games as USI and KIF.

import { post } from "./api.js";
import { Game } from "./game.js";
import { format, parse, start, toAddress } from "./sfen.js";
import { writeRule } from "./settings.js";

// readFile is what a file, or a text, has in it: {games, errors}, each game a Game with its info.
export async function readFile(content, name) {
  const { games, errors, format: kind } = await post("games", content);
  return { games: games.map((read) => gameOf(read, { name, kind })), errors };
}

// gameOf makes a game of what the server has read.
function gameOf(read, info) {
  const game = new Game(parse(read.positions[0].sfen));
  game.info = { ...info, players: read.players, headers: read.headers, notes: read.notes, error: read.error };
  const nodes = [];
  for (const { before, usi, western, japanese, comments, end, illegal, seconds } of read.positions) {
    const node = before === null ? game.root : nodes[before].child(usi);
    nodes.push(node);
    Object.assign(node, { western, japanese, end: node.end ?? end, illegal: node.illegal ?? illegal, seconds });
    if (comments) node.comments = [...(node.comments ?? []), ...comments];
  }
  return game;
}

// wholeFrom is the node from which on a game has only moves: the last edit before a node, or the start.
export function wholeFrom(node) {
  return node.path.findLast((n) => n.move === undefined);
}

// line are the moves of a game from there to the end of the line that is shown.
export function lineOf(game) {
  const from = wholeFrom(game.node);
  const line = game.line.slice(from.ply + 1);
  const edited = line.findIndex((node) => node.move === undefined);
  return { from, nodes: edited < 0 ? line : line.slice(0, edited) };
}

// usi is the line that is shown, as USI has it.
export function usiOf(game) {
  const { from, nodes } = lineOf(game);
  const sfen = format(from.position);
  const moves = nodes.length > 0 ? ` moves ${nodes.map((node) => node.move).join(" ")}` : "";
  return `position ${sfen === start ? "startpos" : `sfen ${sfen}`}${moves}`;
}

// below are the nodes that moves lead to from one, each before its children, and it itself.
function below(from) {
  const nodes = [];
  for (const open = [from]; open.length > 0;) {
    const node = open.pop();
    nodes.push(node);
    open.push(...moves(node).reverse());
  }
  return nodes;
}

// kifOf is the game as a KIF file. say has lines to add to the comments of a node.
export async function kifOf(game, say) {
  const nodes = below(wholeFrom(game.node));
  const numbers = new Map(nodes.map((node, i) => [node, i]));
  const positions = nodes.map((node, i) => ({
    before: i === 0 ? null : numbers.get(node.parent), sfen: i === 0 ? format(node.position) : "", usi: i === 0 ? undefined : node.move,
    comments: [...(node.comments ?? []), ...say(node)], end: node.end, seconds: node.seconds,
  }));
  const { players, headers } = game.info ?? {};
  return (await post("kif", JSON.stringify({ players, headers, positions }))).kif;
}

// moves are the nodes that moves lead to from a node: no edits.
const moves = (node) => node.children.filter((child) => child.move !== undefined);

const linked = "#moves=";

// linkOf is the address of a game with its variations. They stand behind the number sign, which stays in the browser: moves
// with commas between them, a variation in brackets behind the move that it replaces.
export function linkOf(game) {
  const from = wholeFrom(game.node);
  let text = "";
  for (const open = [from]; open.length > 0;) {
    const next = open.pop();
    if (typeof next === "string") {
      text += next;
      continue;
    }
    const [first, ...others] = moves(next);
    if (!first) continue;
    open.push(...[`,${first.move}`, ...others.flatMap((node) => ["(", node.move, node, ")"]), first].reverse());
  }
  return `./?sfen=${toAddress(format(from.position))}${writeRule()}${text && linked + text.slice(1).replaceAll("),", ")")}`;
}

// hasGame tells whether the part of an address behind the number sign is a game.
export const hasGame = (hash) => hash.startsWith(linked);

// linesIn are the lines of a game in a link, from its start to each of its ends; null if it is none.
function linesIn(hash) {
  const lines = [];
  const open = [];
  let line = [];
  let grows = false; // a line that ends here has not been taken
  const take = () => {
    if (grows) lines.push(line);
    grows = false;
  };
  for (const token of hash.slice(linked.length).match(/[^,()]+|[()]/g) ?? []) {
    if (token === "(") {
      if (line.length === 0) return null;
      take(); // before its variations
      open.push(line);
      line = line.slice(0, -1);
    } else if (token === ")") {
      if (open.length === 0) return null;
      take();
      line = open.pop();
    } else {
      [line, grows] = [[...line, token], true];
    }
  }
  take();
  return open.length > 0 ? null : lines;
}

// readLink is the game of a link with its variations; null if it is none. Whether its moves are legal, the server says.
export async function readLink(position, hash) {
  const lines = linesIn(hash);
  if (!lines?.length) return null;
  const { games, errors } = await readFile(lines.map((line) => `sfen ${format(position)} moves ${line.join(" ")}\n`).join(""), "");
  if (errors.length > 0 || games.some((game, i) => game.info.error || game.nodes.length <= lines[i].length)) return null;
  const [whole, ...others] = games;
  whole.info = null;
  for (const other of others) {
    whole.root.add(other.nodes.slice(1).map(({ move, western, japanese }) => ({ usi: move, western, japanese })));
  }
  return whole;
}
