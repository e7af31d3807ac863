package connect

import (
	"context"
	"encoding/json"
	"slices"

	"ibid/chains"
	"ibid/vault/ownfile"
)

// listsFile is the file of the state folder with the last list of models of each server, by address.
const listsFile = "lists.json"

// place returns the index of a model in a list, -1 if it is not there.
func place(list []chains.ModelInfo, model string) int {
	return slices.IndexFunc(list, func(m chains.ModelInfo) bool { return m.ID == model })
}

// keptList returns the last list of the server at an address, empty if it gave none.
func keptList(hints ownfile.Hints, base string) []chains.ModelInfo {
	list := []chains.ModelInfo{}
	_ = json.Unmarshal([]byte(hints.Read(listsFile)[base]), &list) // a broken list counts as none
	return list
}

// keepList saves the list of the server at an address.
func keepList(hints ownfile.Hints, base string, list []chains.ModelInfo) {
	if text, err := json.Marshal(list); err == nil {
		hints.Set(listsFile, base, string(text))
	}
}

// ListedModels returns the models of all saved lists under their names for --model. It asks no server.
func (p *Providers) ListedModels(ctx context.Context) (names []string) {
	for base := range p.Hints.Read(listsFile) {
		names = append(names, chains.Offer{Now: true, Models: keptList(p.Hints, base)}.Names()...)
	}
	for _, e := range p.selection(ctx).all() {
		names = append(names, chains.Offer{Provider: e.name, Models: keptList(p.Hints, e.base)}.Names()...)
	}
	return names
}
