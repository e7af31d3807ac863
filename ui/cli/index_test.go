package cli

import (
	"testing"

	"ibid/chains"
	"ibid/chains/connect"
)

// TestOfferVectors: a model of this machine that makes vectors is offered once, and not to who
// has one.
func TestOfferVectors(t *testing.T) {
	tools, _ := settingsOn(t, "", nil)
	tools.folder.state = t.TempDir()
	offered := func(vectors string) int {
		p := &parts{app: tools.app, config: &Config{Search: SearchConfig{Vectors: vectors}}, servers: connect.New(connect.Options{})}
		p.model.Servers = []connect.Server{{Name: "ollama", Models: []chains.ModelInfo{{ID: "oak:8b", Chat: true}, {ID: "nomic-embed-text:latest"}}}}
		p.offerVectors()
		return len(p.notices)
	}
	if has, first, again := offered("ollama/mine"), offered(""), offered(""); has != 0 || first != 1 || again != 0 {
		t.Errorf("%d offers to who has a model, %d at first, %d later; want one at first", has, first, again)
	}
}
