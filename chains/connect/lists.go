package connect

import (
	"context"
	"encoding/json"
	"slices"

	"ibid/chains"
	"ibid/vault/ownfile"
)

// listsFile keeps the last list of models of each server, in the state folder: by address.
const listsFile = "lists.json"

// place is where a model is on a list, -1 for nowhere.
func place(list []chains.ModelInfo, model string) int {
	return slices.IndexFunc(list, func(m chains.ModelInfo) bool { return m.ID == model })
}

// keptList is the list that was kept of the server at an address.
func keptList(hints ownfile.Hints, base string) []chains.ModelInfo {
	list := []chains.ModelInfo{}
	_ = json.Unmarshal([]byte(hints.Read(listsFile)[base]), &list) // else nothing is known of it
	return list
}

// keepList keeps the list of the server at an address.
func keepList(hints ownfile.Hints, base string, list []chains.ModelInfo) {
	if text, err := json.Marshal(list); err == nil {
		hints.Set(listsFile, base, string(text))
	}
}

// ListedModels are the models on the lists that were kept, as --model takes them: no server
// is asked.
func (p *Providers) ListedModels(ctx context.Context) (names []string) {
	for base := range p.Hints.Read(listsFile) {
		names = append(names, chains.Offer{Now: true, Models: keptList(p.Hints, base)}.Names()...)
	}
	for _, e := range p.selection(ctx).all() {
		names = append(names, chains.Offer{Provider: e.name, Models: keptList(p.Hints, e.base)}.Names()...)
	}
	return names
}
