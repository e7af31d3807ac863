package cli

import (
	"strings"
	"testing"
	"time"

	"ibid/chains"
)

// TestChainOfSettings: what a person says of the chain counts before what suits the model.
func TestChainOfSettings(t *testing.T) {
	for name, tt := range map[string]struct {
		config Config
		flag   string
		want   string
	}{
		"as suits the model":   {Config{}, "", "agent"},
		"configured":           {Config{Chain: "Plus"}, "", "plus"},
		"the flag first":       {Config{Chain: "plus"}, "vault", "vault"},
		"nothing is looked up": {Config{Tools: ToolsConfig{Read: "off"}}, "", "chat"},
	} {
		if got := tt.config.chain(tt.flag, chains.Options{Chain: chains.Agent{}}).Name(); got != tt.want {
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
		if _, err := readConfig(configOf(t, text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want it to say %q", text, err, want)
		}
	}
	c, err := readConfig(configOf(t, "[tools]\nread = \"all\"\nset = \"core\"\noff = [\"readNote\"]\nrounds = 3\ntime = \"2m\"\ntool = \"5s\"\n"))
	check(t, err)
	b := &c.Tools
	if b.Read != chains.ReadAll || b.Set != "core" || b.Off[0] != "readNote" || b.Limits != (chains.Limits{Rounds: 3, Loop: 2 * time.Minute, Tool: 5 * time.Second}) {
		t.Errorf("%+v", b)
	}
}
