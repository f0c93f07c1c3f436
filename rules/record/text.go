package record

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/unicode"
)

// Decode returns the text of a file, with \n at the ends of lines. The file may be in UTF-8 or UTF-16, with or
// without a byte order mark, or in Shift_JIS. Where it is in no encoding as a whole its lines are read one by one,
// and U+FFFD stands for what is left, so that a broken line costs no other.
func Decode(data []byte) string {
	var text string
	switch {
	case bytes.HasPrefix(data, []byte("\xff\xfe")), bytes.HasPrefix(data, []byte("\xfe\xff")):
		text, _ = decode(unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), data)
	case likeUTF16(data, unicode.LittleEndian):
		text, _ = decode(unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), data)
	case likeUTF16(data, unicode.BigEndian):
		text, _ = decode(unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM), data)
	default:
		text = decodeBytes(bytes.TrimPrefix(data, []byte("\ufeff")))
	}
	text = strings.ReplaceAll(text, "\r\n", "\n")
	return strings.ReplaceAll(text, "\r", "\n")
}

// likeUTF16 tells whether data without a byte order mark look like UTF-16. Its Latin letters and ends of lines have
// a zero byte each, always on the same side, and other encodings have none. A stray one in UTF-8 or Shift_JIS does
// not count: there, most ends of lines are without.
func likeUTF16(data []byte, order unicode.Endianness) bool {
	high := 0 // where the high byte of a character is
	if order == unicode.LittleEndian {
		high = 1
	}
	zeros, newlines := 0, 0
	for i, c := range data {
		switch {
		case c != 0:
		case i%2 != high:
			return false
		default:
			zeros++
			if low := i ^ 1; low < len(data) && data[low] == '\n' {
				newlines++
			}
		}
	}
	if utf8.Valid(data) && zeros < len(data)/4 {
		return false
	}
	// Some characters, 上 among them, have a byte like that of an end of line.
	return newlines > 0 && 2*newlines > bytes.Count(data, []byte("\n")) || zeros > 0 && zeros >= len(data)/4
}

func decodeBytes(data []byte) string {
	if utf8.Valid(data) {
		return string(data)
	}
	if text, ok := decode(japanese.ShiftJIS, data); ok {
		return text
	}
	var b strings.Builder
	for line := range bytes.Lines(data) {
		text := string(line)
		if !utf8.Valid(line) {
			var ok bool
			if text, ok = decode(japanese.ShiftJIS, line); !ok {
				text = strings.ToValidUTF8(string(line), string(utf8.RuneError))
			}
		}
		b.WriteString(text)
	}
	return b.String()
}

// decode reads an encoding; ok tells whether all of the data was in it.
func decode(e encoding.Encoding, data []byte) (text string, ok bool) {
	b, err := e.NewDecoder().Bytes(data)
	// The decoder writes this for what it does not understand, which Shift_JIS cannot encode.
	return string(b), err == nil && !bytes.ContainsRune(b, utf8.RuneError)
}
