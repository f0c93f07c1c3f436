package mate

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/cespare/xxhash/v2"

	"gogotb/rules"
)

// A saved search is, in little-endian order:
//
//	magic        16 bytes, with the version of the format
//	fingerprint  8 bytes: what the position hashes to, which changes with the hash keys of the program
//	length, SFEN 2 bytes, and as many
//	tsume        1 byte: 1 if only checks count
//	bounds       for each of two attackers, the side to move and the other: least, most (4 bytes each), none (1 byte)
//	entries      as many as there are: key, numbers, rest (8 bytes each; rest is not 0, see slot)
//	end          24 bytes: 0, the number of entries, 0
//	checksum     8 bytes: xxHash64 of all before
const saveMagic = "gogotb search 1\n"

// SaveError says why a saved search cannot be gone on with.
type SaveError struct{ Reason string }

func (e *SaveError) Error() string { return "no saved search of this question: " + e.Reason }

// question is what was asked last, and what is proved about it.
type question struct {
	pos   rules.Position
	tsume bool
	sides [2]knowledge
}

// knowledge is what is proved about a side that might mate, see side.
type knowledge struct {
	least, most int32
	none        bool
}

func (k *question) is(pos *rules.Position, tsume bool) bool {
	return k != nil && k.tsume == tsume && k.pos.SFEN() == pos.SFEN()
}

// remember keeps what is proved, so that it can be saved.
func (q *quest) remember() {
	if q.opt.By != nil {
		q.last = nil // half a question
		return
	}
	k := &question{pos: q.pos, tsume: q.opt.Tsume}
	for i, s := range q.sides {
		k.sides[i] = knowledge{int32(s.least), int32(s.most), s.none}
	}
	q.last = k
}

// recall makes use of what is known from earlier, or from a saved search, if it was the same question.
func (q *quest) recall() {
	if q.opt.By != nil || !q.last.is(&q.pos, q.opt.Tsume) {
		return
	}
	for i, s := range q.sides {
		k := q.last.sides[i]
		s.least, s.none = max(s.least, int(k.least)), k.none
		if k.most >= 0 && (s.longest < 0 || int(k.most) <= s.longest) {
			s.most = int(k.most)
		}
	}
}

// Save writes what is proved about the question that was asked last: the bounds and the table, for Load. Options.Progress
// may call it while the search goes on.
func (s *Solver) Save(w io.Writer) error {
	k := s.last
	if k == nil {
		return errors.New("mate: nothing was asked")
	}
	sum := xxhash.New()
	out := bufio.NewWriterSize(io.MultiWriter(w, sum), 1<<16)
	sfen := k.pos.SFEN()
	head := append([]byte(saveMagic), make([]byte, 8)...)
	binary.LittleEndian.PutUint64(head[len(saveMagic):], fingerprint(&k.pos, k.tsume))
	head = binary.LittleEndian.AppendUint16(head, uint16(len(sfen)))
	head = append(head, sfen...)
	head = append(head, bit(k.tsume))
	for _, side := range k.sides {
		head = binary.LittleEndian.AppendUint32(head, uint32(side.least))
		head = binary.LittleEndian.AppendUint32(head, uint32(side.most))
		head = append(head, bit(side.none))
	}
	out.Write(head) // errors come again from Flush
	count := uint64(0)
	record := func(key, numbers, rest uint64) {
		var b [slotBytes]byte
		binary.LittleEndian.PutUint64(b[:], key)
		binary.LittleEndian.PutUint64(b[8:], numbers)
		binary.LittleEndian.PutUint64(b[16:], rest)
		out.Write(b[:])
	}
	for i := range s.table.slots {
		if key, numbers, rest := s.table.slots[i].load(); rest != 0 {
			record(key, numbers, rest)
			count++
		}
	}
	record(0, count, 0)
	if err := out.Flush(); err != nil {
		return err
	}
	_, err := w.Write(binary.LittleEndian.AppendUint64(nil, sum.Sum64()))
	return err
}

// Load reads what Save wrote about a question, so that Solve goes on where it was. The memory may be of another size. An
// error, a *SaveError if it is not one of reading, leaves the solver as if it were new.
func (s *Solver) Load(r io.Reader, pos *rules.Position, tsume bool) error {
	s.Clear()
	err := s.load(r, pos, tsume)
	if err != nil {
		s.Clear()
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return &SaveError{"the file ends too early"}
	}
	return err
}

func (s *Solver) load(r io.Reader, pos *rules.Position, tsume bool) error {
	buffered := bufio.NewReaderSize(r, 1<<16)
	sum := xxhash.New()
	in := io.TeeReader(buffered, sum)
	var head [len(saveMagic) + 8 + 2]byte
	if _, err := io.ReadFull(in, head[:]); err != nil {
		return err
	}
	if string(head[:len(saveMagic)]) != saveMagic {
		return &SaveError{"the file is something else, or of another version"}
	}
	print := binary.LittleEndian.Uint64(head[len(saveMagic):])
	text := make([]byte, binary.LittleEndian.Uint16(head[len(saveMagic)+8:]))
	if _, err := io.ReadFull(in, text); err != nil {
		return err
	}
	var known [1 + 2*9]byte
	if _, err := io.ReadFull(in, known[:]); err != nil {
		return err
	}
	k := &question{pos: *pos, tsume: tsume}
	for i := range k.sides {
		b := known[1+9*i:]
		k.sides[i] = knowledge{
			int32(binary.LittleEndian.Uint32(b)), int32(binary.LittleEndian.Uint32(b[4:])), b[8] == 1,
		}
	}
	for _, side := range k.sides {
		if min(side.least, side.most) < -1 || max(side.least, side.most) > maxPath {
			return &SaveError{"the file is damaged"}
		}
	}
	switch {
	case string(text) != pos.SFEN():
		return &SaveError{fmt.Sprintf("it is about %q", text)}
	case (known[0] == 1) != tsume:
		return &SaveError{"only one of the two is about checks only"}
	case print != fingerprint(pos, tsume):
		return &SaveError{"it is of another version of the program"}
	}
	count := uint64(0)
	for {
		var b [slotBytes]byte
		if _, err := io.ReadFull(in, b[:]); err != nil {
			return err
		}
		key, numbers, rest := binary.LittleEndian.Uint64(b[:]), binary.LittleEndian.Uint64(b[8:]), binary.LittleEndian.Uint64(b[16:])
		if rest == 0 {
			if numbers != count {
				return &SaveError{"the file is damaged"}
			}
			break
		}
		e := unpackEntry(key, numbers, rest)
		s.table.put(&e)
		count++
	}
	want := sum.Sum64()
	var got [8]byte
	if _, err := io.ReadFull(buffered, got[:]); err != nil {
		return err
	}
	if _, err := buffered.ReadByte(); err == nil || binary.LittleEndian.Uint64(got[:]) != want {
		return &SaveError{"the file is damaged"}
	}
	s.last = k
	return nil
}

// fingerprint mixes the hash keys of a position and of those after its moves.
func fingerprint(pos *rules.Position, tsume bool) uint64 {
	g := newGame(pos, pos.SideToMove(), tsume)
	print := g.node().key
	for _, m := range pos.Moves(nil) {
		u := g.pos.Make(m)
		print = print*slotMix + g.node().key
		g.pos.Unmake(u)
	}
	return print
}

func bit(b bool) byte {
	if b {
		return 1
	}
	return 0
}
