package connect

import (
	"context"
	"testing"

	"ibid/chains"
	"ibid/context/tokens"
)

// fakeServer is a server with the facts of one model.
type fakeServer struct {
	name string
	info chains.ModelInfo
}

func (s fakeServer) Name() string                                     { return s.name }
func (fakeServer) Local() bool                                        { return false }
func (fakeServer) Model(string) chains.Model                          { return nil }
func (fakeServer) Models(context.Context) ([]chains.ModelInfo, error) { return nil, nil }
func (s fakeServer) Known(string) (info chains.ModelInfo, ok bool)    { return s.info, true }

// TestDefaultChain: agent where tools can be called and there is room, vault elsewhere.
func TestDefaultChain(t *testing.T) {
	for name, tt := range map[string]struct {
		server fakeServer
		model  string
		facts  tokens.Facts
		want   string
	}{
		"known to call":       {fakeServer{name: "openai"}, "gpt-4o", tokens.Lookup("", "gpt-4o"), "agent"},
		"nothing is known":    {fakeServer{name: "x"}, "x", tokens.Facts{}, "agent"},
		"16k":                 {fakeServer{name: "x"}, "x", tokens.Facts{Window: 16384}, "agent"},
		"8k":                  {fakeServer{name: "x"}, "x", tokens.Facts{Window: 8192}, "vault"},
		"ollama does not say": {fakeServer{name: "ollama"}, "x", tokens.Facts{}, "vault"},
		"ollama says":         {fakeServer{name: "ollama"}, "x", tokens.Facts{Window: 32768}, "agent"},
		"the table says no":   {fakeServer{name: "x"}, "phi4", tokens.Lookup("", "phi-4"), "vault"},
		"the server says yes": {fakeServer{"x", chains.ModelInfo{Tools: true}}, "phi4", tokens.Lookup("", "phi-4"), "agent"},
		"the server says no":  {fakeServer{"x", chains.ModelInfo{NoTools: true}}, "gpt-4o", tokens.Lookup("", "gpt-4o"), "vault"},
	} {
		l := &link{server: tt.server, endpoint: &endpoint{speaks: tt.server.name}}
		if got := l.chain(tt.model, tt.facts).Name(); got != tt.want {
			t.Errorf("%s: %s, want %s", name, got, tt.want)
		}
	}
}
