// The moves made on the page since a position was set up, with a place in them.

import { format, parse, play } from "./sfen.js";

export class Game {
  constructor(position) {
    this.begin(position);
  }

  begin(position) {
    this.positions = [position];
    this.moves = [];
    this.at = 0; // how many of the moves have been made
  }

  get position() {
    return this.positions[this.at];
  }

  get sfen() {
    return format(this.position);
  }

  // lastMove is the USI move that led here, or undefined.
  get lastMove() {
    return this.moves[this.at - 1];
  }

  // play makes a move. What had been taken back is forgotten, unless it is the same.
  play(usi) {
    if (this.moves[this.at] !== usi) {
      this.moves.length = this.at;
      this.positions.length = this.at + 1;
      this.moves.push(usi);
      this.positions.push(play(this.position, usi));
    }
    this.at++;
  }

  // go moves to a place in the game; false if it is there already.
  go(at) {
    const place = Math.min(Math.max(at, 0), this.moves.length);
    const moved = place !== this.at;
    this.at = place;
    return moved;
  }

  // record is the game in plain values, recall the reverse: null if a record is none.
  get record() {
    return { start: format(this.positions[0]), moves: this.moves, at: this.at };
  }

  static recall(record) {
    const start = parse(record?.start ?? "");
    if (!start) return null;
    const game = new Game(start);
    for (const usi of record.moves) game.play(usi);
    game.go(record.at);
    return game;
  }

  // leadsThrough tells whether the position that another game shows is in this one, and got there by the same moves.
  leadsThrough(other) {
    return format(this.positions[0]) === format(other.positions[0]) && other.played.every((usi, i) => this.moves[i] === usi);
  }

  get played() {
    return this.moves.slice(0, this.at);
  }
}
