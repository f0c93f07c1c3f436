package kif

import (
	"strings"
	"testing"
)

func TestErrors(t *testing.T) {
	diagram := "  ５ ４ ３ ２ １\n+---------------+\n|v玉 ・ ・ ・ ・|一\n" + strings.Repeat("| ・ ・ ・ ・ ・|\n", 3) + "| 玉 ・ ・ ・ ・|\n"
	for _, c := range []struct{ text, want string }{
		{"先手：あ\n", "line 1: neither"},
		{"手合割：平手\n", "line 1: 平手 is not the 5x5 game"},
		{" ９ ８ ７ ６ ５ ４ ３ ２ １\n| ・ ・ ・|\n", "line 1: the board has 9 files"},
		{"| ・ ・ ・ ・ ・ ・|\n", "line 1: the rank has 6 squares"},
		{"| ・ ・ ・ ・ ・\n", "line 1: the rank does not end"},
		{"|v玉 ・ ・ ・ ・|\n", "line 1: the diagram has 1 ranks"},
		{diagram + "| ・ ・ ・ ・ ・|\n", "line 8: the diagram has more than 5 ranks"},
		{strings.Replace(diagram, "v玉", "v歩", 1) + "後手番\n", ""},
		{strings.Replace(diagram, "v玉", " 歩", 1), "line 3: illegal position: 5a: a pawn"},
		{diagram + "先手の持駒：桂\n", "line 8: 桂 cannot be held"},
		{diagram + "先手の持駒：金三\n", "line 8: more than two 金"},
		{diagram + "先手の持駒：金十八\n", "line 8: more than two 金"},
		{diagram + "先手の持駒：金二\n後手の持駒：金\n", "line 3: illegal position: more than two pieces of the kind G"},
		{diagram + "手番：中手\n", "line 8: \"中手\" is no side"},
		{diagram + "1 ７六歩(77)\n", "line 8: move \"７六歩(77)\", character 1: there is no file 7"},
		{diagram + "1 ５六歩(77)\n", "line 8: move \"５六歩(77)\", character 2: there is no rank 6"},
		{diagram + "1 ５四桂(55)\n", "line 8: move \"５四桂(55)\", character 3: a piece"},
		{diagram + "1 ５四玉\n", "line 8: move \"５四玉\", character 4: the origin"},
		{diagram + "1 ５四玉(56)\n", "character 6: an origin"},
		{diagram + "1 ５四玉(55\n", "character 7: a bracket"},
		{diagram + "1 ５四金(55)\n", "character 4: sente has no 金"},
		{diagram + "1 ５五玉(55)\n", "character 4: the move ends"},
		{diagram + "1 同　玉(55)\n", "character 1: 同 without"},
		{diagram + "1 ５四玉打\n", "character 3: 玉 cannot be dropped"},
		{diagram + "1 ５四金打\n", "line 8: illegal move G*5d: no such piece in hand"},
		{diagram + "1 ５四玉(55)\n3 ４四玉(54)\n", "line 9: move 2 is expected here, not 3"},
	} {
		_, err := one(t, c.text)
		if c.want == "" {
			if err == nil || !strings.Contains(err.Error(), "illegal") && !strings.Contains(err.Error(), "no king") {
				continue // legal: one king is enough
			}
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %s", c.text, err, c.want)
		}
	}
}
