package retro

import (
	"runtime"
	"sync"
	"unsafe"

	"gogotb/rules"
)

// arena is memory for boards that the garbage collector knows nothing of. It comes from the system in segments, and goes
// back when the arena is closed; boards that are released before are used again.
type arena struct {
	mu   sync.Mutex
	rest []byte                 // of the newest segment: no board has been made of it
	more func() []byte          // makes another segment; nil if there is none
	end  func()                 // gives the memory back
	free [boardRows + 1][][]row // released boards, by their rows
	used int                    // bytes that boards have been made of
	full bool                   // a board had no room
	runs bool                   // those of a unit should lie together
}

const (
	boardRows = rules.Squares // at most
	rowBytes  = int(unsafe.Sizeof(row{}))
)

// board makes an empty board. If there is no room, it makes one in ordinary memory, and notes so in full.
func (a *arena) board(rows int) []row {
	board, used := a.take(rows)
	if used {
		clear(board)
	}
	return board
}

// take finds memory for a board, and tells whether it may have been used before.
func (a *arena) take(rows int) (board []row, used bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for n := rows; n <= boardRows; n++ { // what is left of a larger one serves smaller ones
		if free := &a.free[n]; len(*free) > 0 {
			board, *free = (*free)[len(*free)-1], (*free)[:len(*free)-1]
			if n > rows {
				a.free[n-rows] = append(a.free[n-rows], board[rows:])
			}
			return board[:rows:rows], true
		}
	}
	bytes := rows * rowBytes
	if bytes > len(a.rest) {
		segment := a.more()
		if segment == nil {
			a.full = true
			return make([]row, rows), false
		}
		a.rest = segment
	}
	board = unsafe.Slice((*row)(unsafe.Pointer(&a.rest[0])), rows)
	a.rest = a.rest[bytes:]
	a.used += bytes
	return board, false
}

// run makes n empty boards that lie one behind the other; nil if there is no room for that.
func (a *arena) run(n, rows int) []row {
	a.mu.Lock()
	defer a.mu.Unlock()
	bytes := n * rows * rowBytes
	if bytes > len(a.rest) {
		return nil
	}
	run := unsafe.Slice((*row)(unsafe.Pointer(&a.rest[0])), n*rows)
	a.rest = a.rest[bytes:]
	a.used += bytes
	return run
}

// release takes back a board.
func (a *arena) release(board []row) {
	a.mu.Lock()
	defer a.mu.Unlock()
	board = board[:cap(board)]
	a.free[len(board)] = append(a.free[len(board)], board)
}

// close gives the memory back. No board may be used any more.
func (a *arena) close() { a.end() }

// segments are those of an arena in memory.
type segments struct {
	mapped [][]byte
	next   int // bytes of the next one
}

// Segments become larger and larger, so that small sets take little, and large ones are not asked for often.
const (
	firstSegment = 2 << 20 // a huge page
	lastSegment  = 32 << 20
)

// newArena makes an arena in memory. It is closed when nobody has it any more, at the latest.
func newArena() *arena {
	s := &segments{next: firstSegment}
	a := &arena{more: s.more, end: s.close}
	runtime.AddCleanup(a, (*segments).close, s)
	return a
}

func (s *segments) more() []byte {
	segment := mapSegment(s.next)
	if segment != nil {
		s.mapped = append(s.mapped, segment)
		s.next = min(2*s.next, lastSegment)
	}
	return segment
}

func (s *segments) close() {
	for _, segment := range s.mapped {
		unmapSegment(segment)
	}
	s.mapped = nil
}
