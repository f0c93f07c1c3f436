package rules

// Version is the version of the rules that values follow. It changes whenever a change of the rules, or of their
// reading, changes the value of a position; tables and checkpoints carry it.
const Version = 1
