package tokens

import "slices"

// efforts are the levels of reasoning, least first, with EffortOff for none.
var efforts = []string{EffortOff, "minimal", "low", "medium", "high", "xhigh", "max"}

// EffortOff is a person's word for no reasoning.
const EffortOff = "off"

// Levels returns the levels that the model has, least first; for an unknown model those that most models have.
func (f Facts) Levels() []string {
	if f.Efforts == nil {
		return []string{EffortOff, "low", "medium", "high"}
	}
	var out []string
	if f.Thinking != "" || slices.Contains(f.Efforts, "none") {
		out = append(out, EffortOff)
	}
	for _, level := range efforts {
		if slices.Contains(f.Efforts, level) {
			out = append(out, level)
		}
	}
	return out
}

// Level returns the level that the model uses for an effort: the same, else the next lower one, else its lowest.
func (f Facts) Level(effort string) string {
	levels := f.Levels()
	for at := slices.Index(efforts, effort); at >= 0; at-- {
		if slices.Contains(levels, efforts[at]) && (efforts[at] != EffortOff || effort == EffortOff) {
			return efforts[at]
		}
	}
	if i := slices.IndexFunc(levels, func(l string) bool { return l != EffortOff }); i >= 0 &&
		slices.Contains(efforts, effort) {
		return levels[i]
	}
	return effort
}
