package connect

import (
	"strings"
	"testing"
	"time"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/context/prompt"
)

// slowServers returns servers that delay their clients: one accepts connections and sends
// nothing, one drops them, and one refuses them after seconds, as if no machine had the
// address.
func slowServers(t *testing.T) map[string]func() (host string) {
	return map[string]func() string{
		"silent": func() string {
			silent, _ := silentServer(t)
			return strings.TrimSuffix(strings.TrimPrefix(silent, "http://"), "/v1")
		},
		"dropping": func() string {
			host, _ := chaintest.DropConnections(t)
			return host
		},
		"refusing": func() string {
			host, refuse := chaintest.DropConnections(t)
			late := time.AfterFunc(2*time.Second, refuse)
			t.Cleanup(func() { late.Stop() })
			return host
		},
	}
}

// withinSecond fails the test if work takes longer, three times, as other tests may have the
// machine.
func withinSecond(t *testing.T, work func()) {
	t.Helper()
	took := time.Duration(0)
	for range 3 {
		began := time.Now()
		work()
		if took = time.Since(began); took <= time.Second {
			return
		}
	}
	t.Errorf("it took %v", took)
}

// TestStartBesideSlowServer: the start of a screen is over while the server that is
// configured keeps it waiting, with a model that is named and without one.
func TestStartBesideSlowServer(t *testing.T) {
	t.Parallel()
	for name, server := range slowServers(t) {
		for _, model := range []string{"", "m"} {
			t.Run(name+" "+model, func(t *testing.T) {
				withinSecond(t, func() {
					all := newTestProviders(t, Config{BaseURL: "http://" + server() + "/v1", Model: model}, nil, Flags{})
					all.Screen = true
					c, err := all.Choose(t.Context(), true)
					if err != nil || c.Options.ModelName != model || !c.Searching {
						t.Errorf("%q answers, %v", c.Options.ModelName, err)
					}
					defer all.Close(t.Context())
				})
			})
		}
	}
}

// TestQuestionBesideSlowServer: a question to a model that is named is answered while other
// servers, of the configuration and of this machine, would keep it waiting.
func TestQuestionBesideSlowServer(t *testing.T) {
	t.Parallel()
	s := chaintest.NewServer(t, chaintest.Options{})
	for name, server := range slowServers(t) {
		t.Run(name, func(t *testing.T) {
			withinSecond(t, func() {
				slow := server()
				all := newTestProviders(t, Config{Model: "work/test-model", Providers: map[string]Settings{
					"work": {BaseURL: s.URL(), Kind: "openai"}, "lan": {BaseURL: "http://" + slow + "/v1"},
				}}, map[string]string{"OLLAMA_HOST": slow}, Flags{})
				defer all.Close(t.Context())
				c, err := all.Choose(t.Context(), true)
				noError(t, err)
				for _, err := range c.Options.Model.Stream(t.Context(), chains.Request{Messages: []prompt.Message{{Role: prompt.User, Content: "One."}}}) {
					if err != nil {
						t.Error(err)
					}
				}
			})
		})
	}
}
