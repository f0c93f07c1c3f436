package record

import (
	"fmt"
	"strings"
	"testing"

	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/unicode"
)

func TestDecode(t *testing.T) {
	const text = "手合割：5五将棋\n先手：あ\n"
	encoded := func(b []byte, err error) string {
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	sjis := encoded(japanese.ShiftJIS.NewEncoder().Bytes([]byte(text)))
	for name, data := range map[string]string{
		"UTF-8":             text,
		"a byte order mark": "\ufeff" + text,
		"CR LF":             strings.ReplaceAll(text, "\n", "\r\n"),
		"CR":                strings.ReplaceAll(text, "\n", "\r"),
		"Shift_JIS":         sjis,
		"Shift_JIS, CR LF":  strings.ReplaceAll(sjis, "\n", "\r\n"),
		"UTF-16":            encoded(unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().Bytes([]byte(text))),
		"UTF-16, big":       encoded(unicode.UTF16(unicode.BigEndian, unicode.UseBOM).NewEncoder().Bytes([]byte(text))),
		"UTF-16, no mark":   encoded(unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM).NewEncoder().Bytes([]byte(text))),
		"big, no mark":      encoded(unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM).NewEncoder().Bytes([]byte(text))),
	} {
		if got := Decode([]byte(data)); got != text {
			t.Errorf("%s: %q", name, got)
		}
	}
	// A zero byte at the end, as programs in C leave it, makes no UTF-16.
	for _, text := range []string{text + "\x00", sjis + "\x00", "sfen 4k/5/5/5/K4 b G 1\n\x00"} {
		if got := Decode([]byte(text)); !strings.HasSuffix(got, "\n\x00") {
			t.Errorf("%q: %q", text, got)
		}
	}
	// Plain SFEN has a zero byte a letter.
	const sfen = "4k/5/5/5/K4 b G 1"
	for _, order := range []unicode.Endianness{unicode.LittleEndian, unicode.BigEndian} {
		data := encoded(unicode.UTF16(order, unicode.IgnoreBOM).NewEncoder().Bytes([]byte(sfen)))
		if got := Decode([]byte(data)); got != sfen {
			t.Errorf("%q", got)
		}
	}
	// What is in no encoding costs its own line only, and two encodings may be in one file.
	got := strings.Split(Decode([]byte(sjis+"\xff\xfd\n"+text)), "\n")
	if len(got) != 6 || got[0] != "手合割：5五将棋" || !strings.Contains(got[2], "\ufffd") || got[4] != "先手：あ" {
		t.Errorf("%q", got)
	}
}

// TestNotes: what is said of many lines is said once, and no file has more notes than one can read.
func TestNotes(t *testing.T) {
	var g Game
	for line := range 10 {
		g.PassOver(line+1, "同じ行")
	}
	if len(g.Notes) != 1 || g.Notes[0] != (Note{1, `"同じ行" was passed over`}) {
		t.Errorf("notes %v", g.Notes)
	}
	for line := range 100 {
		g.PassOver(line+11, fmt.Sprint(line))
	}
	if n := len(g.Notes); n != maxNotes+1 || g.Notes[n-1].Line != 30 || !strings.Contains(g.Notes[n-1].Text, "more") {
		t.Errorf("%d notes: %v", n, g.Notes)
	}
}

func TestQuote(t *testing.T) {
	long := strings.Repeat("歩", quoted)
	for text, want := range map[string]string{" a\tb ": `"a\tb"`, long: `"` + long + `"`, long + "と": `"` + long + `…"`} {
		if got := Quote(text); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

// TestEndCodes: every kind of end has a code of its own, which is read back.
func TestEndCodes(t *testing.T) {
	seen := map[string]bool{}
	for k := NoEnd; k <= PlyLimit; k++ {
		back, ok := EndOf(k.Code())
		if seen[k.Code()] || !ok || back != k || (k.Code() == "") != (k == NoEnd) {
			t.Errorf("%d: %q, read back as %d, %v", k, k.Code(), back, ok)
		}
		seen[k.Code()] = true
	}
	if _, ok := EndOf("x"); ok || (PlyLimit+1).Code() == "" {
		t.Error("there is a kind that there is not")
	}
}
