# What can be done here; `make` alone lists the targets.

GO        ?= go
PYTHON    ?= python3
TABLES    ?= tables
export TABLES # recipes use it as a variable of the shell's, in quotes: it may have blanks
FUZZTIME  ?= 10s
BENCHTIME ?= 1s
SETS      ?= GSP RBS
RUNS      ?= 3
# What make cluster tests, and what is done to workers and servers, as patterns.
FLEETS    ?= Harm|BadS3|FullDisk|FlippedByte|Parted
HARMS     ?= .
VERSITYGW   = github.com/versity/versitygw/cmd/versitygw@v1.8.0
STATICCHECK = honnef.co/go/tools/cmd/staticcheck@v0.8.2
GOGOTB      = bin/gogotb
LIB         = bin
PREFIX    ?= /usr/local
VERSION    := $(shell sed -n 's/^const Number = "\(.*\)"$$/\1/p' cmd/internal/version/version.go)
# What programs are linked with changes its name when they have to be compiled again.
SONAME      = libgogotb.so.0
SHARED      = libgogotb.so.$(VERSION)
ifeq ($(shell uname -s),Darwin)
LINKFLAGS   = -Wl,-install_name,@rpath/$(SONAME)
else
LINKFLAGS   = -Wl,-soname,$(SONAME) '-Wl,--version-script=$(CURDIR)/cmd/libgogotb/exports.map'
endif
# A library sends no signals, see cmd/libgogotb/signals.c.
LIBFLAGS    = -trimpath -tags '$(LIBTAGS)' -ldflags "-X runtime.godebugDefault=asyncpreemptoff=1 -extldflags \"$(LINKFLAGS)\""
# Build tags of tests that `make test` leaves to other targets.
TAGS        = conformance,browser,long,cluster

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-15s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: build
build: ## build bin/gogotb
	$(GO) build -o $(GOGOTB) ./cmd/gogotb

.PHONY: lib
lib: ## build the C library: libgogotb.so, libgogotb.a and gogotb.h in bin; LIBTAGS=remote: with tables at addresses (needs a C compiler)
	@mkdir -p $(LIB)
	CGO_ENABLED=1 $(GO) build -buildmode=c-shared $(LIBFLAGS) -o $(LIB)/$(SHARED) ./cmd/libgogotb
	CGO_ENABLED=1 $(GO) build -buildmode=c-archive $(LIBFLAGS) -o $(LIB)/libgogotb.a ./cmd/libgogotb
	@ln -sf $(SHARED) $(LIB)/$(SONAME)
	@ln -sf $(SONAME) $(LIB)/libgogotb.so
	@rm -f $(LIB)/$(basename $(SHARED)).h $(LIB)/libgogotb.h # made by cgo; ours is made for people
	@cp cmd/libgogotb/gogotb.h $(LIB)/

.PHONY: lib-valgrind
lib-valgrind: ## build the C library for programs that run under valgrind, in bin (Linux)
	GOEXPERIMENT=nodwarf5 $(MAKE) lib LIBTAGS=valgrind

.PHONY: install
install: build lib ## install the program, the C library, its header and its pkg-config file below PREFIX
	install -d '$(DESTDIR)$(PREFIX)/bin' '$(DESTDIR)$(PREFIX)/lib/pkgconfig' '$(DESTDIR)$(PREFIX)/include'
	install $(GOGOTB) '$(DESTDIR)$(PREFIX)/bin/'
	install $(LIB)/$(SHARED) '$(DESTDIR)$(PREFIX)/lib/'
	ln -sf $(SHARED) '$(DESTDIR)$(PREFIX)/lib/$(SONAME)'
	ln -sf $(SONAME) '$(DESTDIR)$(PREFIX)/lib/libgogotb.so'
	install -m 644 $(LIB)/libgogotb.a '$(DESTDIR)$(PREFIX)/lib/'
	install -m 644 cmd/libgogotb/gogotb.h '$(DESTDIR)$(PREFIX)/include/'
	sed 's|@PREFIX@|$(PREFIX)|; s|@VERSION@|$(VERSION)|' cmd/libgogotb/gogotb.pc.in >'$(DESTDIR)$(PREFIX)/lib/pkgconfig/gogotb.pc'

.PHONY: wheel
wheel: lib ## pack the Python package and the C library into a wheel, in dist
	$(PYTHON) cmd/libgogotb/python/wheel.py --library $(LIB)/$(SHARED) --version $(VERSION) --out dist

.PHONY: python
python: build lib ## tests of the Python package (needs a C compiler)
	cd cmd/libgogotb/python && GOGOTB='$(abspath $(GOGOTB))' GOGOTB_LIBRARY='$(abspath $(LIB)/libgogotb.so)' $(PYTHON) -W error -m unittest
	$(MAKE) lib LIB=$(LIB)/remote LIBTAGS=remote
	cd cmd/libgogotb/python && GOGOTB='$(abspath $(GOGOTB))' GOGOTB_LIBRARY='$(abspath $(LIB)/remote/libgogotb.so)' $(PYTHON) -W error -m unittest tests.test_tables.Addresses tests.test_wheel

.PHONY: demo
demo: build ## make all tables of up to two pieces, and look at a few positions
	$(GOGOTB) --dir "$$TABLES" generate --pieces 2
	@echo; echo 'A mate: Sente, with a rook in hand against the bare king.'; echo
	$(GOGOTB) --dir "$$TABLES" probe --line '4k/5/5/5/K4 b R 1'
	@echo; echo 'A win by perpetual check: the loser can hold out only by giving check forever, which loses.'; echo
	$(GOGOTB) --dir "$$TABLES" probe "$$($(GOGOTB) --dir "$$TABLES" find --category win --by perpetual --limit 1 RB)"
	@echo; echo 'An open position: neither side can force a win.'; echo
	$(GOGOTB) --dir "$$TABLES" probe "$$($(GOGOTB) --dir "$$TABLES" find --category draw --limit 1 PP)"

.PHONY: tables-3
tables-3: build ## make all tables of up to three pieces (minutes)
	$(GOGOTB) --dir "$$TABLES" generate --pieces 3
	@echo 'Targets on two cores, in seconds: GSP 5, RBS 10, all sets 240; in bits: 1.7.'

FOUR = GGSS GGPP RGSP RBSP

.PHONY: tables-4
tables-4: build ## make and audit four sets of four pieces (an hour or more, 20 GB of memory)
	$(GOGOTB) --dir "$$TABLES" generate $(FOUR)
	@echo 'Targets on two cores, in seconds: GGPP 240, RBSP 1800.'
	$(GOGOTB) --dir "$$TABLES" stats $(FOUR)
	$(GOGOTB) --dir "$$TABLES" verify --sample 1000000 $(FOUR)

.PHONY: atlas
atlas: ## put the statistics of the sets in TABLES into the atlas, cmd/internal/atlas
	$(GO) run ./cmd/internal/atlas/update "$$TABLES"

.PHONY: test
test: ## run every test that needs nothing but Go
	$(GO) test ./...

.PHONY: race
race: ## run the tests of what is concurrent under the race detector (needs a C compiler)
	$(GO) test -race -short -timeout 2h -skip 'OfTwo$$' ./storage/... ./retro/... ./verify/... ./cmd/...

.PHONY: conformance
conformance: ## tests with other programs: fairy-stockfish, xboard, npm, gcc, valgrind, strace, systemd, nginx, versitygw, installed if they can be (Debian, root)
	@.ci/install fairy-stockfish xboard xvfb imagemagick gcc pkg-config valgrind strace nodejs npm systemd nginx python3
	@GOBIN='$(abspath bin)' $(GO) install $(VERSITYGW)
	@grep -rl --include='*_test.go' '^//go:build conformance' . | xargs -n 1 dirname | sort -u | \
	while read -r dir; do \
		tests=$$(grep -l '^//go:build conformance' $$dir/*_test.go | xargs sed -n 's/^func \(Test[A-Za-z0-9_]*\)(.*/\1/p' | paste -sd '|'); \
		echo "$(GO) test -tags conformance -count 1 -run '^($$tests)\$$' $$dir"; \
		VERSITYGW='$(abspath bin)/versitygw' $(GO) test -tags conformance -count 1 -run "^($$tests)$$" $$dir || exit 1; \
	done

.PHONY: browser
browser: ## tests of the explorer in a real browser: chromium, installed if it can be (Debian, root)
	@.ci/install chromium
	@dir=./cmd/gogotb/serve; \
	tests=$$(grep -l '^//go:build browser' $$dir/*_test.go | xargs sed -n 's/^func \(Test[A-Za-z0-9_]*\)(.*/\1/p' | paste -sd '|'); \
	echo "$(GO) test -tags browser -count 1 -run '^($$tests)\$$' $$dir"; \
	$(GO) test -tags browser -count 1 -run "^($$tests)$$" $$dir

.PHONY: cluster
cluster: ## fleets of processes that are killed, stopped, cut off and given bad buckets (Linux, root; a quarter of an hour)
	@.ci/install iproute2
	@case '$(FLEETS)' in *S3*) GOBIN='$(abspath bin)' $(GO) install $(VERSITYGW) ;; esac
	VERSITYGW='$(abspath bin)/versitygw' $(GO) test -tags cluster -count 1 -timeout 60m -v -run '^TestFleet($(FLEETS))$$' ./cmd/gogotb -args -harms '$(HARMS)'

.PHONY: kernel-4
kernel-4: ## compare the solver's moves with the rules in sets of four pieces (a minute or two)
	$(GO) test -tags long -count 1 -v -run '^TestKernelFour$$' ./retro

.PHONY: perft7
perft7: ## count the leaves seven plies from the starting position
	$(GO) test -tags long -count 1 -v -run '^TestPerftDepth7$$' ./rules

.PHONY: puzzle-changes
puzzle-changes: ## the shipped puzzles with a piece moved or added, against trying everything (minutes)
	$(GO) test -tags long -count 1 -timeout 60m -v -run '^(TestChangedLong|TestAddedLong)$$' ./verify/puzzle

# How many games of puzzle-games, and in how many of them long mates are looked for.
GAMES ?= 2500
LONG  ?= 240

# Finds bin/games.sfen.
find-puzzles = \
	set -e; PATH="$$PATH:/usr/games" $(GO) run ./cmd/internal/selfplay/play 1 $(GAMES) >bin/games.usi; \
	head -n $(LONG) bin/games.usi >bin/long.usi; \
	$(GOGOTB) puzzle --from bin/long.usi --plies 11-13 --nodes 40000 >bin/long.sfen; \
	$(GOGOTB) puzzle --from bin/games.usi --plies 3-13 --each 150 --without bin/long.sfen >bin/short.sfen; \
	cat bin/long.sfen bin/short.sfen | sed '/^\# [0-9]/d' >bin/games.sfen

.PHONY: puzzle-games
puzzle-games: build ## play games of two settings of fairy-stockfish 11.1 and find the shipped puzzles in them (hours)
	@.ci/install fairy-stockfish
	$(find-puzzles)
	{ sed -n '/^## /p' verify/testdata/games.sfen; cat bin/games.sfen; } >bin/shipped.sfen
	mv bin/shipped.sfen verify/testdata/games.sfen

.PHONY: puzzle-games-trial
puzzle-games-trial: GAMES = 40
puzzle-games-trial: LONG = 16
puzzle-games-trial: build ## the same with few games, whose puzzles are among the shipped ones (a minute or two)
	@.ci/install fairy-stockfish
	$(find-puzzles)
	test -s bin/games.sfen
	! grep -vxFf verify/testdata/games.sfen bin/games.sfen

.PHONY: puzzle-games-check
puzzle-games-check: ## check all shipped puzzles from games again (minutes)
	$(GO) test -tags long -count 1 -timeout 60m -v -run '^TestShippedGamesLong$$' ./verify/puzzle

.PHONY: audit-3
audit-3: ## solve GSP, write its tables and audit them (a minute or two)
	$(GO) test -tags long -count 1 -timeout 60m -v -run '^TestThreePieces$$' ./verify/audit

.PHONY: estimate-3
estimate-3: ## make sets of three pieces and compare what they take with the estimates (minutes; Linux)
	$(GO) test -tags long -count 1 -timeout 60m -v -run '^TestEstimatesOfThree$$' ./cmd/gogotb

.PHONY: mate-tables-3
mate-tables-3: ## compare the mate solver with whole tables of three pieces (minutes)
	$(GO) test -tags long -count 1 -timeout 60m -v -run '^TestEqualToTablesOfThree$$' ./verify/mate

.PHONY: mate-jobs
mate-jobs: ## measure the time that a second core saves the mate solver (minutes; on a quiet machine)
	$(GO) test -tags long -count 1 -timeout 120m -v -run '^TestJobs$$' ./verify/mate

.PHONY: mate-race
mate-race: ## race fairy-stockfish to the first mate of each position in verify/mate/testdata/race.tsv (minutes)
	@.ci/install fairy-stockfish
	$(GO) test -tags long -count 1 -timeout 120m -v -run '^TestRace$$' ./verify/mate

.PHONY: engine-nodes
engine-nodes: ## what gogotb costs fairy-stockfish as its back end, in nodes, see cmd/internal/engine/BENCHMARKS.md (minutes)
	@.ci/install fairy-stockfish
	$(GO) test -tags long,conformance -count 1 -timeout 30m -v -run '^TestBackEndNodes$$' ./cmd/gogotb

.PHONY: review-games
review-games: ## review fifty games of fairy-stockfish, confirm every mate by trying all moves, and that there is none by it (minutes)
	@.ci/install fairy-stockfish
	$(GO) test -tags long,conformance -count 1 -timeout 60m -v -run '^TestReviewedGames$$' ./cmd/gogotb

.PHONY: handicaps
handicaps: ## find the length of the mates in the naked-king and three-piece handicaps (a minute or two)
	$(GO) test -tags long -count 1 -timeout 60m -v -run '^TestHandicaps$$' ./verify/mate

.PHONY: handicaps-plain
handicaps-plain: ## confirm these lengths by a search that tries all moves and trusts nothing (long)
	$(GO) test -tags long -count 1 -timeout 0 -v -run '^TestHandicapsPlainly$$' ./verify/mate

.PHONY: handicap-two
handicap-two: ## the same for two pieces, with the search that gogotb solve --save SAVE kept (long, 12 GB of memory)
	@test -n "$(SAVE)" || { echo "usage: make handicap-two SAVE=FILE" >&2; exit 2; }
	SAVE='$(abspath $(SAVE))' $(GO) test -tags long -count 1 -timeout 0 -v -run '^TestTwoPiecesPlainly$$' ./verify/mate

.PHONY: soak
soak: ## make GSP again and again by runs that are killed, and sets on full disks (ten minutes and more; Linux)
	$(GO) test -tags long -count 1 -timeout 120m -v -run '^(TestSoak|TestFullFileSystem)$$' ./cmd/gogotb

.PHONY: lint
lint: ## gofmt, go vet, on 32 bits, too, and staticcheck
	@files=$$(gofmt -l .); if [ -n "$$files" ]; then echo "gofmt would change:" $$files; exit 1; fi
	$(GO) vet ./...
	$(GO) vet -tags $(TAGS) ./...
	GOARCH=386 $(GO) vet -tags $(TAGS) ./...
	$(GO) run $(STATICCHECK) -tags $(TAGS) ./...

.PHONY: bench
bench: ## run all benchmarks; what is wanted stands beside, as target-
	$(GO) test -run '^$$' -bench . -benchtime $(BENCHTIME) ./...
	$(GO) test -run '^$$' -bench '^Benchmark(Warm|Cold|Write)$$' -benchtime $(BENCHTIME) ./storage -args -set GSP

.PHONY: bench-compare
bench-compare: ## solve SETS by the program of BASE (a commit) and by this one, RUNS times in turn: user seconds
	@test -n "$(BASE)" || { echo "usage: make bench-compare BASE=commit [SETS='GSP RBS'] [RUNS=3]" >&2; exit 2; }
	@GO='$(GO)' bash retro/internal/compare.sh '$(BASE)' '$(RUNS)' $(SETS)

.PHONY: fuzz
fuzz: ## run every fuzz target for FUZZTIME
	@grep -rHo --include='*_test.go' '^func Fuzz[A-Za-z0-9_]*' . | sort | \
	while IFS=: read -r file func; do \
		echo "$${func#func } in $$(dirname $$file)"; \
		$(GO) test -run '^$$' -fuzz "^$${func#func }$$" -fuzztime $(FUZZTIME) $$(dirname $$file) || exit 1; \
	done

.PHONY: clean
clean: ## remove what was built; tables stay
	rm -rf bin dist
