package history

import (
	"cmp"
	"slices"
)

// SumBy returns the sums for each name, in the order of their first occurrence. The name is in the field Model.
func SumBy(all []Spending, name func(Spending) string) []Total {
	named := make([]Total, len(all))
	for i, s := range all {
		named[i] = s.Total
		named[i].Provider, named[i].Model = "", name(s)
	}
	return ByModel(named)
}

// MostExpensive returns the most expensive of all, by price, then by tokens. It sorts all.
func MostExpensive(all []Total, most int) []Total {
	slices.SortStableFunc(all, func(a, b Total) int {
		return cmp.Or(cmp.Compare(b.Usage.Cost, a.Usage.Cost),
			cmp.Compare(b.Usage.Prompt+b.Usage.Completion, a.Usage.Prompt+a.Usage.Completion))
	})
	return all[:min(len(all), most)]
}
