package connect

import (
	"context"
	"encoding/json"
	"slices"
	"sync"

	"ibid/chains"
	"ibid/vault/ownfile"
)

// listsFile keeps the last list of models of each server, in the state folder: by address.
const listsFile = "lists.json"

// listedServer is a server whose last list is known without asking it, also one that it gave
// another run.
type listedServer struct {
	chains.Server
	hints ownfile.Hints
	base  string

	mu   sync.Mutex
	last []chains.ModelInfo // nil before it was looked for; mu is held
}

// Models implements chains.Server, and keeps the list.
func (s *listedServer) Models(ctx context.Context) ([]chains.ModelInfo, error) {
	list, err := s.Server.Models(ctx)
	if err != nil || len(list) == 0 {
		return list, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last = slices.Clone(list)
	if text, err := json.Marshal(list); err == nil {
		s.hints.Set(listsFile, s.base, string(text))
	}
	return list, nil
}

// Known implements chains.Server.
func (s *listedServer) Known(model string) (chains.ModelInfo, bool) {
	info, ok := s.Server.Known(model)
	if ok || model == "" {
		return info, ok
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.last == nil {
		s.last = keptList(s.hints, s.base)
	}
	if i := place(s.last, model); i >= 0 {
		return s.last[i], true
	}
	return info, false
}

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
