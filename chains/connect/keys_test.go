package connect

import (
	"testing"

	"ibid/chains"
)

// TestKeyGoesTo checks the rule for keys, one address per line: a host of the table gets its
// own key, the ports of local servers get none, and OPENAI_API_KEY is sent to another address
// only if a person configured that address.
func TestKeyGoesTo(t *testing.T) {
	env := map[string]string{
		"OPENAI_API_KEY": "openai", "GROQ_API_KEY": "\t\"groq\"\r\n", "MOONSHOT_API_KEY": "\u00a0“moonshot”", "AZURE_OPENAI_API_KEY": "azure", "HF_TOKEN": ` "" `,
	}
	rows := []struct {
		provider, base string // as given by flags
		name, key      string
		foreign        bool
	}{
		{"", "", "openai", "openai", false},
		{"", "https://api.openai.com/v1/", "openai", "openai", false},
		{"", "https://API.OpenAI.com:443/v1", "openai", "openai", false},
		{"", "https://eu.api.openai.com/v1", "openai", "openai", false},
		{"", "https://api.groq.com/openai", "groq", "groq", false},
		{"", "https://api.groq.com./openai/v1", "groq", "groq", false},
		{"groq", "", "groq", "groq", false},
		{"openai", "https://api.groq.com/openai/v1", "groq", "groq", false},
		{"ollama", "https://api.groq.com/openai/v1", "groq", "groq", false},
		{"", "https://api.moonshot.cn/v1", "moonshot", "moonshot", false},
		{"", "https://router.huggingface.co/v1", "huggingface", "", false},
		{"", "https://api.mistral.ai/v1", "mistral", "", false},
		{"", "http://localhost:11434/v1", "ollama", "", false},
		{"", "http://127.0.0.1:11434", "ollama", "", false},
		{"", "http://[::1]:1234/v1", "lmstudio", "", false},
		{"", "http://0.0.0.0:8080/v1", "llamacpp", "", false},
		{"openai", "http://localhost:8000/v1", "vllm", "", false},
		{"vllm", "http://localhost:8080/v1", "vllm", "", false},
		{"ollama", "http://gpu.lan:9999/v1", "ollama", "", false},
		{"", "http://localhost:4000/v1", "localhost:4000", "openai", true},
		{"openai", "http://localhost:4000/v1", "openai", "openai", true},
		{"", "https://api.openai.com.example.org/v1", "api.openai.com.example.org", "openai", true},
		{"", "https://api.openai.com@example.org/v1", "example.org", "openai", true},
		{"groq", "https://gateway.example/v1", "groq", "groq", true},
		{"", "https://mine.openai.azure.com/", "azure", "azure", false},
		{"", "https://mine.cognitiveservices.azure.com/", "azure", "azure", false},
		{"openai", "https://mine.services.ai.azure.com/openai/v1/", "azure", "azure", false},
		{"azure", "https://azure.gateway.example/", "azure", "azure", true},
	}
	for _, row := range rows {
		all := newTestProviders(t, Config{}, env, Flags{Provider: row.provider, BaseURL: row.base})
		e, named, err := all.selection(t.Context()).pick()
		if err != nil || !named || e.provider.Name != row.name || e.key != row.key || e.provider.Foreign != row.foreign {
			t.Errorf("--provider %q --base-url %q: %s gets %q (foreign %v), error %v; want %s %q %v", row.provider, row.base, e.provider.Name, e.key, e.provider.Foreign, err, row.name, row.key, row.foreign)
		}
	}
}

// TestFoundServersGetNoKey: nobody named them.
func TestFoundServersGetNoKey(t *testing.T) {
	e, why := chooseServer([]Server{{at: protocolOf("ollama").endpoint("http://127.0.0.1:11434/v1"), Models: []chains.ModelInfo{{ID: "small", Chat: true}}}})
	if why != "" || e.base == "" || e.key != "" || e.provider.KeyVar != "" {
		t.Errorf("%+v, %s", e, why)
	}
}
