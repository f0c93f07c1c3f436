// The moves made on the page since a position was loaded, and the edits of the set-up, with a place among them.

import { format, parse, play } from "./sfen.js";

// A step is a move in USI or, where the position was edited, the SFEN of what came of it.
const isEdit = (step) => step.includes(" ");

export class Game {
  constructor(position) {
    this.begin(position);
  }

  begin(position) {
    this.positions = [position];
    this.steps = [];
    this.at = 0; // how many of the steps have been made
  }

  get position() {
    return this.positions[this.at];
  }

  get sfen() {
    return format(this.position);
  }

  // lastMove is the USI move that led here, or undefined.
  get lastMove() {
    const step = this.steps[this.at - 1];
    return step === undefined || isEdit(step) ? undefined : step;
  }

  // play makes a move, edit puts another position in place of the one that is shown. What had been taken back is
  // forgotten, unless it is the same.
  play(usi) {
    this.step(usi, () => play(this.position, usi));
  }

  edit(position) {
    this.step(format(position), () => position);
  }

  step(step, next) {
    if (this.steps[this.at] !== step) {
      this.steps.length = this.at;
      this.positions.length = this.at + 1;
      this.steps.push(step);
      this.positions.push(next());
    }
    this.at++;
  }

  // go moves to a place in the game; false if it is there already.
  go(at) {
    const place = Math.min(Math.max(at, 0), this.steps.length);
    const moved = place !== this.at;
    this.at = place;
    return moved;
  }

  // record is the game in plain values, recall the reverse: null if a record is none.
  get record() {
    return { start: format(this.positions[0]), steps: this.steps, at: this.at };
  }

  static recall(record) {
    const start = parse(record?.start ?? "");
    if (!start || !record.steps) return null;
    const game = new Game(start);
    for (const step of record.steps) {
      if (isEdit(step)) game.edit(parse(step));
      else game.play(step);
    }
    game.go(record.at);
    return game;
  }

  // leadsThrough tells whether the position that another game shows is in this one, and got there by the same steps.
  leadsThrough(other) {
    return format(this.positions[0]) === format(other.positions[0]) && other.made.every((step, i) => this.steps[i] === step);
  }

  get made() {
    return this.steps.slice(0, this.at);
  }
}
