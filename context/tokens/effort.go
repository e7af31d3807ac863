package tokens

import "slices"

// The words for how much a model is to think, least first. Off is not at all.
var efforts = []string{EffortOff, "minimal", "low", "medium", "high", "xhigh", "max"}

// EffortOff is a person's word for a model that is not to think.
const EffortOff = "off"

// Levels are the words that mean something to the model, least first; those that most
// know where nothing is known of it.
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

// Level is what the model takes in place of an effort: that itself, else the nearest
// below it, else the least.
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
