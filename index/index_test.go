package index

import "testing"

func TestSizes(t *testing.T) {
	for _, s := range []string{"none","G","P","R","GP","RB","SS","GSP","RP","PP","RBGSP","RRBBG"} {
		m, err := ParseMaterial(s)
		if err != nil { t.Fatal(err) }
		x, err := New(m)
		if err != nil { t.Fatal(err) }
		t.Log(s, x.Size(), len(x.Slices()))
	}
}
