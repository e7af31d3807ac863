package syntax

// nearest is the operator that name may be a slip of, "" if there is none: at
// most two edits away, and with something in common.
func nearest(name string) string {
	best, least := "", 3
	for op := range operators {
		d := distance(name, op)
		if d < min(len(name), len(op)) && (d < least || d == least && d < 3 && op < best) {
			best, least = op, d
		}
	}
	return best
}

// distance is how many letters have to be put in, left out, replaced or swapped
// with the next to make a into b.
func distance(a, b string) int {
	s, t := []rune(a), []rune(b)
	rows := [3][]int{make([]int, len(t)+1), make([]int, len(t)+1), make([]int, len(t)+1)}
	for j := range rows[1] {
		rows[1][j] = j
	}
	for i := 1; i <= len(s); i++ {
		now, last, before := rows[(i+1)%3], rows[i%3], rows[(i+2)%3]
		now[0] = i
		for j := 1; j <= len(t); j++ {
			cost := 1
			if s[i-1] == t[j-1] {
				cost = 0
			}
			now[j] = min(now[j-1]+1, last[j]+1, last[j-1]+cost)
			if i > 1 && j > 1 && s[i-1] == t[j-2] && s[i-2] == t[j-1] {
				now[j] = min(now[j], before[j-2]+1)
			}
		}
	}
	return rows[(len(s)+1)%3][len(t)]
}
