package audit

// ranks returns the least solution of the equations of the ranks on the nodes that the
// attacker wins, by role and position; 0 elsewhere. Starting from the lowest rank
// everywhere, a node is raised to what its successors make it, until all equations hold: the
// lifting of progress measures (Jurdziński: Small Progress Measures for Solving Parity
// Games, 2000). No rank ever passes that of the least solution, so a circle of checks gets
// no higher one than it needs.
func (r *region) ranks(d *dual) [2][]uint32 {
	n := len(r.checked)
	rank := [2][]uint32{make([]uint32, n), make([]uint32, n)}
	waiting := [2][]bool{make([]bool, n), make([]bool, n)}
	var queue []node
	wait := func(n node) {
		if !waiting[n.role][n.at] {
			waiting[n.role][n.at] = true
			queue = append(queue, n)
		}
	}
	for role := range uint8(2) {
		for i := range uint32(n) {
			if !d.escapes[role][i] {
				rank[role][i] = 1
				wait(node{role, i})
			}
		}
	}
	for len(queue) > 0 {
		n := queue[0]
		queue = queue[1:]
		waiting[n.role][n.at] = false
		lifted := uint32(0)
		for _, to := range r.next.from(n.at) {
			if n.role == attacks {
				// Escaping nodes have no rank: the attacker does not go there.
				if other := rank[defends][to]; other > 0 && (lifted == 0 || other < lifted) {
					lifted = other
				}
			} else {
				other := rank[attacks][to]
				if !r.checked[to] {
					other++
				}
				lifted = max(lifted, other)
			}
		}
		if lifted <= rank[n.role][n.at] {
			continue
		}
		rank[n.role][n.at] = lifted
		for _, p := range r.prev.from(n.at) {
			before := node{n.role ^ 1, p}
			if rank[before.role][p] > 0 {
				wait(before)
			}
		}
	}
	return rank
}
