// Gogotb generates, probes and audits endgame tables of minishogi, and answers questions
// about single positions and games.
//
// # Where things are
//
// A command is a file named after it, with a constructor newXCommand; root.go lists them
// all. Some have more: plan.go, generation.go, lock.go and memory.go belong to generate,
// game_files.go to game, plot.go to stats, listen.go and health.go to serve, and what begins with puzzle, review or
// cluster to these. What
// the commands share:
//
//	main.go       the process: streams, exit status
//	root.go       the root command, its flags, the list of commands
//	exit.go       exit statuses, and which errors mean which
//	interrupt.go  Ctrl-C
//	arguments.go  positions, material sets and choices from the command line
//	input.go      files of text, and standard input
//	read_games.go files of games
//	tables.go     the folders of --dir
//	values.go     values in words; their JSON is that of cmd/internal/answer
//	logging.go    logs of what serves
//	output.go     JSON lines, numbers and columns for people
//	board.go      a position drawn as text
//	progress.go   progress bars
//
// Results go to standard output and everything else to standard error. A command returns an error; it
// never prints one and never exits.
package main
