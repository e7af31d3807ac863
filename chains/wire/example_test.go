package wire_test

import (
	"fmt"
	"testing"

	"ibid/chains/wire"
)

// The host decides which key may go to an address.
func ExampleProviderAt() {
	for _, base := range []string{
		"https://api.groq.com/openai/v1", "http://localhost:11434/v1",
		"https://gateway.example/v1",
	} {
		p := wire.ProviderAt("", base)
		fmt.Printf("%s %q %v\n", p.Name, p.KeyVar, p.Foreign)
	}
	// Output:
	// groq "GROQ_API_KEY" false
	// ollama "" false
	// gateway.example "OPENAI_API_KEY" true
}

func TestFindProvider(t *testing.T) {
	for name, want := range map[string]string{
		"OpenAI": "openai", "google": "gemini", "claude": "anthropic",
		"z.ai": "zai", "llama.cpp": "llamacpp", "LM Studio": "lmstudio", "hf": "huggingface",
	} {
		if p, ok := wire.FindProvider(name); !ok || p.Name != want {
			t.Errorf("FindProvider(%q) = %q %v", name, p.Name, ok)
		}
	}
	if p, ok := wire.FindProvider("nobody"); ok {
		t.Errorf("FindProvider(nobody) = %+v", p)
	}
	for _, p := range wire.Providers() {
		if p.Local() != (p.KeyVar == "") {
			t.Errorf("%s: local %v, key %q", p.Name, p.Local(), p.KeyVar)
		}
		if _, err := wire.New(wire.Options{BaseURL: p.BaseURL}); err != nil && p.Name != "azure" {
			t.Error(err)
		}
	}
}
