package storage

import (
	"encoding/binary"
	"sync"

	"gogotb/rules"
	"gogotb/storage/internal/codec"
)

// packer is the state of a goroutine that packs blocks.
type packer struct {
	encoder *codec.Encoder
	counts  [2]*codec.Counts // of outcomes, of distances
}

func newPacker() *packer {
	return &packer{
		encoder: codec.NewEncoder(),
		counts:  [2]*codec.Counts{codec.NewCounts(codec.OutcomeTable), codec.NewCounts(codec.DistanceTable)},
	}
}

// writeChapter packs the values of a chapter, the entries from first on, and writes them
// to both files. All blocks are turned into events, the events make the models, and
// these make the bytes. Counts add up to the same in any order, and the bytes of a block
// depend on its events, the model and its place alone.
func (w *Writer) writeChapter(first uint64, values []rules.Value) error {
	shift := w.shape.blockShift
	blocks := (len(values)-1)>>shift + 1
	events := &w.events
	if events[0] == nil { // the first chapter is the longest
		events[0], events[1] = make([][]codec.Event, blocks), make([][]codec.Event, blocks)
	}
	total := newPacker()
	var mu sync.Mutex
	var packers []*packer
	newState := func() *packer {
		p := newPacker()
		mu.Lock()
		packers = append(packers, p)
		mu.Unlock()
		return p
	}
	parallel(w.workers, blocks, newState, func(p *packer, i int) error {
		block := values[i<<shift : min((i+1)<<shift, len(values))]
		s := w.strides.of(first+uint64(i)<<shift, len(block))
		events[0][i] = p.encoder.Outcomes(events[0][i], block, s)
		events[1][i] = p.encoder.Distances(events[1][i], block, s)
		for kind, c := range p.counts {
			c.Add(events[kind][i])
		}
		return nil
	})
	for _, p := range packers {
		for kind, c := range p.counts {
			total.counts[kind].Merge(c)
		}
	}
	for kind, f := range w.files {
		model := codec.NewModel(total.counts[kind])
		packed := make([][]byte, blocks)
		bytes := model.Append(nil)
		sum := modelSum(bytes)
		tag := func(i int) uint32 { return blockTag(f.headerSum, sum, first>>shift+uint64(i)) }
		parallel(w.workers, (blocks+1)/2, codec.NewEncoder, func(e *codec.Encoder, pair int) error {
			a, b := 2*pair, 2*pair+1
			if b == blocks {
				packed[a] = e.Code(nil, events[kind][a], model, tag(a))
				return nil
			}
			packed[a], packed[b] = e.CodeTwo(events[kind][a], events[kind][b], model, tag(a), tag(b))
			return nil
		})
		if err := f.writeChapter(bytes, sum, packed); err != nil {
			return err
		}
	}
	return nil
}

// writeChapter writes a model and the blocks that were packed with it.
func (n *newFile) writeChapter(model []byte, sum uint32, blocks [][]byte) error {
	n.directory = binary.LittleEndian.AppendUint32(n.directory, uint32(len(model)))
	n.directory = binary.LittleEndian.AppendUint32(n.directory, sum)
	n.Write(model)
	for _, b := range blocks {
		n.directory = binary.LittleEndian.AppendUint16(n.directory, uint16(len(b)))
		n.Write(b)
	}
	return n.err
}
