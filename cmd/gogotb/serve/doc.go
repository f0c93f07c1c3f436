// Package serve answers questions about minishogi endings over HTTP, and serves the
// explorer, a page to look positions up, play them out and practise.
//
// # Where things are
//
//	serve.go       Options, listening, shutting down in good order
//	routes.go      every address there is, and what answers it
//	middleware.go  what happens to every request: logs, metrics, limits, compression
//	reply.go       answers: JSON, ETags, caching
//	errors.go      errors as clients see them: status, code, message
//	query.go       parameters, read strictly
//	probe.go       positions, one or many, and lines
//	position.go    what the rules say: positions, moves, games
//	games.go       files of games
//	kif.go         games written as KIF
//	tables.go      which tables there are, their statistics
//	atlas.go       statistics of sets that have no table here
//	files.go       files of tables, for others to read
//	random.go      positions to practise
//	draw.go        how they are drawn, evenly, and quickly from tables of any size
//	solve.go       mates by search
//	review.go      games, move by move
//	stream.go      answers that come bit by bit
//	puzzles.go     puzzles to solve
//	queue.go       how many searches and large questions are worked at, and whose turn is next
//	proxies.go     who asks, behind proxies, too
//	metrics.go     what Prometheus collects
//	page.go        the files of the page
//	openapi.json   the description of the API
//	deploy/        files for systemd and containers
//	web/           the page: HTML, style, JavaScript modules, all written by hand
//
// Handlers return a value or an error and never write an answer themselves, so that all
// answers have the same headers and all errors the same form.
//
// The page knows no rules of the game: which moves are legal, and why others are not, it asks.
package serve
