package cli

import (
	"context"
	"strings"
	"testing"
	"time"

	"ibid/chains"
	"ibid/context/tokens"
)

// fakeServer is a server that says what it knows of one model.
type fakeServer struct {
	name string
	info chains.ModelInfo
}

func (s fakeServer) Name() string                                     { return s.name }
func (fakeServer) Local() bool                                        { return false }
func (fakeServer) Model(string) chains.Model                          { return nil }
func (fakeServer) Models(context.Context) ([]chains.ModelInfo, error) { return nil, nil }
func (s fakeServer) Known(string) (info chains.ModelInfo, ok bool)    { return s.info, true }

// TestDefaultChain: agent where tools can be called and there is room, vault
// elsewhere, and what a person says before that.
func TestDefaultChain(t *testing.T) {
	for name, tt := range map[string]struct {
		server fakeServer
		model  string
		facts  tokens.Facts
		config Config
		flag   string
		want   string
	}{
		"known to call":        {fakeServer{name: "openai"}, "gpt-4o", tokens.Lookup("", "gpt-4o"), Config{}, "", "agent"},
		"nothing is known":     {fakeServer{name: "x"}, "x", tokens.Facts{}, Config{}, "", "agent"},
		"16k":                  {fakeServer{name: "x"}, "x", tokens.Facts{Window: 16384}, Config{}, "", "agent"},
		"8k":                   {fakeServer{name: "x"}, "x", tokens.Facts{Window: 8192}, Config{}, "", "vault"},
		"ollama does not say":  {fakeServer{name: "ollama"}, "x", tokens.Facts{}, Config{}, "", "vault"},
		"ollama says":          {fakeServer{name: "ollama"}, "x", tokens.Facts{Window: 32768}, Config{}, "", "agent"},
		"the table says no":    {fakeServer{name: "x"}, "phi4", tokens.Lookup("", "phi-4"), Config{}, "", "vault"},
		"the server says yes":  {fakeServer{"x", chains.ModelInfo{Tools: true}}, "phi4", tokens.Lookup("", "phi-4"), Config{}, "", "agent"},
		"the server says no":   {fakeServer{"x", chains.ModelInfo{NoTools: true}}, "gpt-4o", tokens.Lookup("", "gpt-4o"), Config{}, "", "vault"},
		"configured":           {fakeServer{name: "x"}, "x", tokens.Facts{}, Config{Chain: "Plus"}, "", "plus"},
		"the flag first":       {fakeServer{name: "x"}, "x", tokens.Facts{}, Config{Chain: "plus"}, "vault", "vault"},
		"nothing is looked up": {fakeServer{name: "x"}, "x", tokens.Facts{}, Config{Tools: ToolsConfig{Read: "off"}}, "", "chat"},
	} {
		l := &link{server: tt.server}
		if got := tt.config.chain(tt.flag, chains.Options{Chain: l.chain(tt.model, tt.facts)}).Name(); got != tt.want {
			t.Errorf("%s: %s, want %s", name, got, tt.want)
		}
	}
}

// TestToolsConfig: what the table says of tools, and what it cannot say.
func TestToolsConfig(t *testing.T) {
	for text, want := range map[string]string{
		"[tools]\nread = \"some\"\n":                "line 2: tools.read is \"some\"; it can be all, ask or off",
		"[tools]\nset = \"few\"\n":                  "line 2: tools.set is \"few\"; it can be all or core",
		"[tools]\n\nrounds = 17\n":                  "line 3: tools.rounds is 17; it can be 1 to 16",
		"[tools]\ncalls = -1\n":                     "line 2: tools.calls cannot be negative",
		"[tools]\noff = [\"localSearch\", \"x\"]\n": "line 2: tools.off names \"x\"; `ibid tool` lists what there is",
		"[tools]\nround = 3\n":                      "did you mean \"tools.rounds\"?",
		"[tools]\ntime = \"long\"\n":                "line 2",
	} {
		if _, err := ReadConfig(configOf(t, text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want it to say %q", text, err, want)
		}
	}
	c, err := ReadConfig(configOf(t, "[tools]\nread = \"all\"\nset = \"core\"\noff = [\"readNote\"]\nrounds = 3\ntime = \"2m\"\ntool = \"5s\"\n"))
	if err != nil {
		t.Fatal(err)
	}
	b := c.Tools.toolbox()
	if b.Read != chains.ReadAll || b.Set != "core" || b.Off[0] != "readNote" || b.Limits != (chains.Limits{Rounds: 3, Loop: 2 * time.Minute, Tool: 5 * time.Second}) {
		t.Errorf("%+v", b)
	}
}
