// A game as a tree: where it starts, the moves made from there on, and the edits of the set-up, with a place in it. Whatever
// is played beside what is there already becomes a variation, and nothing is forgotten.

import { format, parse, play } from "./sfen.js";

// A step is a move in USI or, where the position was edited, the SFEN of what came of it.
const isEdit = (step) => step.includes(" ");

// Node is a position of the tree. What a node is known by beside its step, a panel may keep in it: see kept.
export class Node {
  constructor(position, step = null, parent = null) {
    Object.assign(this, { position, step, parent, children: [], next: null, ply: parent ? parent.ply + 1 : 0 });
  }

  // move is the USI of the move that led here, undefined at the start and behind an edit.
  get move() {
    return this.step === null || isEdit(this.step) ? undefined : this.step;
  }

  // isVariation tells whether this is not what was played first where it was.
  get isVariation() {
    return this.parent !== null && this.parent.children[0] !== this;
  }

  // child is the node behind a step, a new one if the step is.
  child(step) {
    const there = this.children.find((node) => node.step === step);
    if (there) return there;
    const node = new Node(isEdit(step) ? parse(step) : play(this.position, step), step, this);
    this.children.push(node);
    return node;
  }

  // add adds moves, one behind the other, with their names; it returns the last.
  add(moves) {
    let node = this;
    for (const { usi, western, japanese } of moves) Object.assign((node = node.child(usi)), { western, japanese });
    return node;
  }

  // path are the nodes from the start to this one.
  get path() {
    const path = [];
    for (let node = this; node; node = node.parent) path.push(node);
    return path.reverse();
  }
}

// kept are what nodes have in a record beside their steps: the names of the move, what the file says of the position,
// how the line ends there, and the judgement of the move.
const kept = ["western", "japanese", "comments", "end", "illegal", "seconds", "review"];

export class Game {
  constructor(position) {
    this.begin(position);
  }

  begin(position) {
    this.id = `${Date.now()}-${Math.random()}`; // among all games that the browser remembers
    this.root = this.node = new Node(position);
    this.info = null; // of a game that was opened: {name, kind, players, headers, notes, error}
  }

  get position() {
    return this.node.position;
  }

  get sfen() {
    return format(this.position);
  }

  // at is how many steps have been made.
  get at() {
    return this.node.ply;
  }

  // lastMove is the USI move that led here, or undefined.
  get lastMove() {
    return this.node.move;
  }

  // before is the USI move before that, or undefined.
  get before() {
    return this.node.parent?.move;
  }

  // line are the nodes from the start through this one to an end: the way on is the one that was gone last.
  get line() {
    const line = this.node.path;
    for (let node = this.node; node.children.length > 0;) line.push((node = node.next ?? node.children[0]));
    return line;
  }

  get positions() {
    return this.line.map((node) => node.position);
  }

  get steps() {
    return this.line.slice(1).map((node) => node.step);
  }

  // made are the steps that led here.
  get made() {
    return this.node.path.slice(1).map((node) => node.step);
  }

  // nodes are all of the tree, each before its children, what was played first before its variations.
  get nodes() {
    const nodes = [];
    for (const open = [this.root]; open.length > 0;) {
      const node = open.pop();
      nodes.push(node);
      open.push(...[...node.children].reverse());
    }
    return nodes;
  }

  // play makes a move, edit puts another position in place of the one that is shown. names are those of the move, if they
  // are known.
  play(usi, names = null) {
    this.visit(this.node.child(usi));
    if (!names) return;
    this.node.western ??= names.western;
    this.node.japanese ??= names.japanese;
  }

  edit(position) {
    this.visit(this.node.child(format(position)));
  }

  // forget takes a node out of the tree, with all behind it; who is there goes back to the position before.
  forget(node) {
    const { parent } = node;
    if (this.node.path.includes(node)) this.visit(parent);
    parent.children = parent.children.filter((child) => child !== node);
    if (parent.next === node) parent.next = null;
  }

  // visit shows a node of the tree; false if it is shown already.
  visit(node) {
    const moved = node !== this.node;
    this.node = node;
    for (let child = node; child.parent; child = child.parent) child.parent.next = child;
    return moved;
  }

  // go moves to a place in the line; false if it is there already.
  go(at) {
    const { line } = this;
    return this.visit(line[Math.min(Math.max(at, 0), line.length - 1)]);
  }

  // record is the game in plain values, recall the reverse: null if a record is none.
  get record() {
    const { nodes, id, info } = this;
    const numbers = new Map(nodes.map((node, i) => [node, i]));
    const keep = (node) => Object.fromEntries(kept.filter((key) => node[key] !== undefined).map((key) => [key, node[key]]));
    return {
      id, info, start: format(this.root.position), at: numbers.get(this.node),
      nodes: nodes.map((node) => ({ parent: numbers.get(node.parent), step: node.step, next: numbers.get(node.next), ...keep(node) })),
    };
  }

  static recall(record) {
    const start = parse(record?.start ?? "");
    if (!start || !record.nodes) return null;
    const game = new Game(start);
    game.id = record.id;
    game.info = record.info;
    const nodes = [];
    for (const { parent, step, next, ...rest } of record.nodes) {
      nodes.push(Object.assign(step === null ? game.root : nodes[parent].child(step), rest));
    }
    record.nodes.forEach(({ next }, i) => (nodes[i].next = nodes[next] ?? null));
    game.visit(nodes[record.at]);
    return game;
  }

  // find is the node of this game that another shows, if that was this one before; undefined if not.
  find(other) {
    if (this.id !== other.id) return undefined;
    let node = this.root;
    for (const step of other.made) node = node?.children.find((child) => child.step === step);
    return node;
  }
}
