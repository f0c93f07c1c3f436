package codec

import "github.com/klauspost/compress/zstd"

// Compress appends plain, compressed as one zstd frame. The bytes depend on plain alone.
func Compress(dst, plain []byte) []byte {
	// The best level takes eight times as long to save a tenth.
	e, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBetterCompression), zstd.WithWindowSize(1<<17),
		zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(false), zstd.WithLowerEncoderMem(true))
	if err != nil {
		panic(err) // the options are constant and right
	}
	return e.EncodeAll(plain, dst)
}

// Decompress returns the reverse; size is what must come out.
func Decompress(packed []byte, size int) ([]byte, error) {
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
		zstd.WithDecoderMaxMemory(uint64(max(size, 1))), zstd.WithDecodeAllCapLimit(true))
	if err != nil {
		return nil, err
	}
	defer d.Close()
	plain, err := d.DecodeAll(packed, make([]byte, 0, size))
	if err != nil || len(plain) != size {
		return nil, errDamaged
	}
	return plain, nil
}
