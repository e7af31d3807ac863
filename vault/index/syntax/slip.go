package syntax

import "github.com/agnivade/levenshtein"

// nearestOperator is the operator that name may be a slip of, "" if there is none: at
// most two edits away, and with something in common.
func nearestOperator(name string) string {
	best, least := "", 3
	for op := range operators {
		d := levenshtein.ComputeDistance(name, op)
		if d < min(len(name), len(op)) && (d < least || d == least && d < 3 && op < best) {
			best, least = op, d
		}
	}
	return best
}
