package audit

// Perpetual check as a game on the region. One side, the attacker, wins if the other, the
// defender, can hold out only by checking for ever. So the defender wins if it can
// make moves that are no checks again and again without end: a Büchi game, whose
// solution is a greatest fixpoint of attractors (Grädel, Thomas, Wilke (eds.):
// Automata, Logics, and Infinite Games, 2002, chapter 2):
//
//	Z = all; repeat: Y = the positions in Z from which the defender can force a move, not a check, into Z;
//	Z = Y, until Z = Y.
//
// Each position is two nodes, for either side may be the attacker: in one the attacker is
// to move, in the other the defender. A move is a check just if the side to move after it
// is in check, so "the defender makes a move that is no check" is "the attacker is to move
// and not in check".

// attacks and defends number the nodes of a position: what the side to move does.
const (
	attacks = iota
	defends
)

// dual is a solution in the making. A round takes away from Z only what has left it, with
// all that rested on it, instead of making Y anew.
type dual struct {
	*region
	// escapes[role][i]: in Y, the defender can force another move that is no check.
	escapes [2][]bool
	// shut[role][i]: no longer in Z, the attacker wins.
	shut [2][]bool
	// exposed[i], attacker to move: moves to nodes that do not escape.
	exposed []uint32
	// quiet[i], defender to move: moves into Z that are no checks.
	quiet []uint32
	// by[i], defender to move and quiet[i] is 0: the node that its check leads to, which
	// escaped before it did. So no check is justified in a circle.
	by []uint32

	grown  []node // new in Y, their predecessors still to be told
	fallen []node // taken from Y, the same
	loose  []node // all that was taken from Y in this round
}

type node struct {
	role uint8
	at   uint32
}

// solveDual finds the nodes that escape: all others are won for the attacker.
func (r *region) solveDual() *dual {
	n := len(r.checked)
	d := &dual{region: r, exposed: make([]uint32, n), quiet: make([]uint32, n), by: make([]uint32, n)}
	for role := range d.escapes {
		d.escapes[role], d.shut[role] = make([]bool, n), make([]bool, n)
	}
	for i := range uint32(n) {
		d.exposed[i] = uint32(len(r.next.from(i)))
		for _, to := range r.next.from(i) {
			if !r.checked[to] {
				d.quiet[i]++
			}
		}
	}
	for i := range uint32(n) {
		if d.quiet[i] > 0 {
			d.escape(node{defends, i})
		}
	}
	d.attract()
	var out []node
	for i := range uint32(n) {
		for role := range uint8(2) {
			if !d.escapes[role][i] {
				out = append(out, node{role, i})
			}
		}
	}
	for len(out) > 0 {
		out = d.round(out)
	}
	return d
}

func (d *dual) escape(n node) {
	if !d.escapes[n.role][n.at] {
		d.escapes[n.role][n.at] = true
		d.grown = append(d.grown, n)
	}
}

// attract lets Y grow from the nodes that are new in it.
func (d *dual) attract() {
	for len(d.grown) > 0 {
		n := d.grown[len(d.grown)-1]
		d.grown = d.grown[:len(d.grown)-1]
		for _, p := range d.prev.from(n.at) {
			switch {
			case n.role == defends:
				if d.exposed[p]--; d.exposed[p] == 0 {
					d.escape(node{attacks, p})
				}
			case d.checked[n.at] && !d.escapes[defends][p]:
				d.by[p] = n.at
				d.escape(node{defends, p})
			}
		}
	}
}

// round takes nodes out of Z and returns those that leave Y by it.
func (d *dual) round(out []node) []node {
	d.loose = d.loose[:0]
	for _, n := range out {
		d.shut[n.role][n.at] = true
		if n.role == defends || d.checked[n.at] {
			continue
		}
		for _, p := range d.prev.from(n.at) {
			if d.quiet[p]--; d.quiet[p] == 0 {
				d.fall(node{defends, p})
			}
		}
	}
	for len(d.fallen) > 0 {
		n := d.fallen[len(d.fallen)-1]
		d.fallen = d.fallen[:len(d.fallen)-1]
		for _, p := range d.prev.from(n.at) {
			switch {
			case n.role == defends:
				d.exposed[p]++
				d.fall(node{attacks, p})
			case d.checked[n.at] && d.quiet[p] == 0 && d.by[p] == n.at:
				d.fall(node{defends, p})
			}
		}
	}
	// Another check may do instead of one that has gone.
	for _, n := range d.loose {
		if n.role == attacks || d.escapes[n.role][n.at] {
			continue
		}
		for _, to := range d.next.from(n.at) {
			if d.checked[to] && d.escapes[attacks][to] {
				d.by[n.at] = to
				d.escape(n)
				break
			}
		}
	}
	d.attract()
	out = out[:0]
	for _, n := range d.loose {
		if !d.escapes[n.role][n.at] && !d.shut[n.role][n.at] {
			out = append(out, n)
		}
	}
	return out
}

// fall takes a node from Y for the time being.
func (d *dual) fall(n node) {
	if d.escapes[n.role][n.at] {
		d.escapes[n.role][n.at] = false
		d.fallen = append(d.fallen, n)
		d.loose = append(d.loose, n)
	}
}

// mutualChecks returns the greatest set of positions in which the side to move has a checking
// move into the set.
func (r *region) mutualChecks() []bool {
	n := len(r.checked)
	in := make([]bool, n)
	checks := make([]uint32, n)
	var gone []uint32
	for i := range uint32(n) {
		in[i] = true
		for _, to := range r.next.from(i) {
			if r.checked[to] {
				checks[i]++
			}
		}
		if checks[i] == 0 {
			in[i] = false
			gone = append(gone, i)
		}
	}
	for len(gone) > 0 {
		i := gone[len(gone)-1]
		gone = gone[:len(gone)-1]
		if !r.checked[i] {
			continue
		}
		for _, p := range r.prev.from(i) {
			if checks[p]--; checks[p] == 0 {
				in[p] = false
				gone = append(gone, p)
			}
		}
	}
	return in
}
