package connect

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"ibid/chains"
)

// TestWhichProviderAnswers goes over the rules by which one is chosen, and where
// its key comes from.
func TestWhichProviderAnswers(t *testing.T) {
	claude := map[string]Settings{"claude": {Model: "claude-1"}}
	work := map[string]Settings{"work": {BaseURL: "https://gateway.example/v1", KeyEnv: "WORK_KEY", Model: "big"}}
	box := map[string]Settings{"box": {BaseURL: "http://gpu.lan:9000/v1"}}
	both := map[string]Settings{"box": box["box"], "work": work["work"]}
	run := map[string]Settings{"work": {Kind: "anthropic", BaseURL: "https://gateway.example", KeyCommand: "pass show work"}}
	for name, tt := range map[string]struct {
		env    string // NAME=VALUE, separated by spaces
		flags  Flags
		config Config
		stored string // NAME=KEY
		last   string
		want   string // name, protocol, address, source of the key, model; "" is nobody
	}{
		"nothing at all":                 {},
		"one key":                        {env: "GROQ_API_KEY=g", want: "groq  https://api.groq.com/openai/v1 (env GROQ_API_KEY) "},
		"one key, of its own protocol":   {env: "ANTHROPIC_API_KEY=a", want: "anthropic anthropic https://api.anthropic.com/v1 (env ANTHROPIC_API_KEY) "},
		"several, one answered last":     {env: "GROQ_API_KEY=g OPENAI_API_KEY=o", last: "groq", want: "groq  https://api.groq.com/openai/v1 (env GROQ_API_KEY) "},
		"several, OpenAI's among them":   {env: "OPENROUTER_API_KEY=g OPENAI_API_KEY=o", want: "openai  https://api.openai.com/v1 (env OPENAI_API_KEY) "},
		"several, in the table's order":  {env: "GROQ_API_KEY=g GEMINI_API_KEY=o", want: "gemini  https://generativelanguage.googleapis.com/v1beta/openai (env GEMINI_API_KEY) "},
		"a model that names one":         {env: "GROQ_API_KEY=g OPENAI_API_KEY=o", flags: Flags{Model: "groq/vendor/m"}, want: "groq  https://api.groq.com/openai/v1 (env GROQ_API_KEY) vendor/m"},
		"by another name":                {env: "ANTHROPIC_API_KEY=a OPENAI_API_KEY=o", config: Config{Model: "claude/m"}, want: "anthropic anthropic https://api.anthropic.com/v1 (env ANTHROPIC_API_KEY) m"},
		"one without a key":              {env: "OPENAI_API_KEY=o", flags: Flags{Model: "groq/m"}, want: "openai  https://api.openai.com/v1 (env OPENAI_API_KEY) groq/m"},
		"a table without a key":          {env: "OPENAI_API_KEY=o", flags: Flags{Model: "box/m"}, config: Config{Providers: box}, want: "box  http://gpu.lan:9000/v1 (env OPENAI_API_KEY) m"},
		"a provider was chosen":          {env: "OPENROUTER_API_KEY=r ANTHROPIC_API_KEY=a", config: Config{Provider: "openrouter", Model: "anthropic/m"}, want: "openrouter  https://openrouter.ai/api/v1 (env OPENROUTER_API_KEY) anthropic/m"},
		"a model of another table":       {config: Config{Provider: "box", Model: "work/m", Providers: both}, want: "work  https://gateway.example/v1 () m"},
		"listed by the one that is set":  {config: Config{Provider: "box", Model: "work/listed", Providers: both}, want: "box  http://gpu.lan:9000/v1 () work/listed"},
		"in the catalogue of that":       {env: "OPENROUTER_API_KEY=r", flags: Flags{Model: "anthropic/claude-opus-4.5"}, config: Config{Provider: "openrouter", Providers: map[string]Settings{"anthropic": {}}}, want: "openrouter  https://openrouter.ai/api/v1 (env OPENROUTER_API_KEY) anthropic/claude-opus-4.5"},
		"an address was chosen":          {env: "OPENAI_BASE_URL=http://127.0.0.1:4000/v1 ANTHROPIC_API_KEY=a", config: Config{Provider: "openai", Model: "anthropic/m"}, want: "127.0.0.1:4000  http://127.0.0.1:4000/v1 () anthropic/m"},
		"a flag before the variable":     {env: "OPENAI_BASE_URL=http://127.0.0.1:4000/v1 GROQ_API_KEY=a", flags: Flags{Provider: "groq"}, want: "groq  https://api.groq.com/openai/v1 (env GROQ_API_KEY) "},
		"a table of a known name":        {env: "ANTHROPIC_API_KEY=a", config: Config{Providers: claude}, want: "claude anthropic https://api.anthropic.com/v1 (env ANTHROPIC_API_KEY) claude-1"},
		"a table and another key":        {env: "ANTHROPIC_API_KEY=a OPENAI_API_KEY=o", config: Config{Providers: claude}, last: "claude", want: "claude anthropic https://api.anthropic.com/v1 (env ANTHROPIC_API_KEY) claude-1"},
		"a table by name":                {env: "OPENAI_API_KEY=o WORK_KEY=w", flags: Flags{Provider: "work"}, config: Config{Providers: work}, want: "work  https://gateway.example/v1 (env WORK_KEY) big"},
		"its model before everybody's":   {flags: Flags{Provider: "work"}, config: Config{Model: "small", Providers: work}, want: "work  https://gateway.example/v1 () big"},
		"everybody's before its model":   {config: Config{Provider: "work", Model: "small", Providers: work}, want: "work  https://gateway.example/v1 () small"},
		"the flag before both":           {flags: Flags{Provider: "work", Model: "m"}, config: Config{Model: "small", Providers: work}, want: "work  https://gateway.example/v1 () m"},
		"a table alone, without a key":   {config: Config{Providers: box}, want: "box  http://gpu.lan:9000/v1 () "},
		"a key before a keyless table":   {env: "GROQ_API_KEY=g", config: Config{Providers: box}, want: "groq  https://api.groq.com/openai/v1 (env GROQ_API_KEY) "},
		"another's key counts for none":  {env: "OPENAI_API_KEY=o", config: Config{Providers: work}, last: "work", want: "openai  https://api.openai.com/v1 (env OPENAI_API_KEY) "},
		"last without a key":             {env: "GROQ_API_KEY=g", config: Config{Providers: box}, last: "box", want: "box  http://gpu.lan:9000/v1 () "},
		"a stored key":                   {config: Config{Providers: claude}, stored: "claude=c", want: "claude anthropic https://api.anthropic.com/v1 (stored) claude-1"},
		"a variable before what is kept": {env: "ANTHROPIC_API_KEY=a", config: Config{Providers: claude}, stored: "claude=c", want: "claude anthropic https://api.anthropic.com/v1 (env ANTHROPIC_API_KEY) claude-1"},
		"what is kept before OpenAI's":   {env: "OPENAI_API_KEY=o", flags: Flags{Provider: "box"}, config: Config{Providers: box}, stored: "box=b", want: "box  http://gpu.lan:9000/v1 (stored) "},
		"a command before what is kept":  {config: Config{Providers: run}, stored: "work=w", want: "work anthropic https://gateway.example (key_command) "},
		"a variable of the protocol":     {env: "ANTHROPIC_API_KEY=a", config: Config{Providers: run}, flags: Flags{Provider: "work"}, want: "work anthropic https://gateway.example (key_command) "},
		"a key for no table":             {flags: Flags{Provider: "groq"}, stored: "groq=g", want: "groq  https://api.groq.com/openai/v1 (stored) "},
		"an address for a table":         {env: "WORK_KEY=w", flags: Flags{Provider: "work", BaseURL: "other.example/v1"}, config: Config{Providers: work}, want: "work  https://other.example/v1 (env WORK_KEY) big"},
		"nobody by the flag":             {env: "OPENAI_API_KEY=o", flags: Flags{Offline: true}, want: "   () "},
		"nobody by the model's name":     {env: "OPENAI_API_KEY=o OPENAI_BASE_URL=http://127.0.0.1:4000/v1", flags: Flags{Model: "offline"}, want: "   () "},
		"offline of a provider":          {env: "GROQ_API_KEY=g", flags: Flags{Provider: "groq", Model: "offline"}, want: "groq  https://api.groq.com/openai/v1 (env GROQ_API_KEY) offline"},
		"nobody by the model of all":     {env: "OPENAI_API_KEY=o", config: Config{Provider: "openai", Model: "offline"}, want: "   () "},
		"a model in place of offline":    {env: "OPENAI_API_KEY=o", flags: Flags{Model: "m"}, config: Config{Model: "offline"}, want: "openai  https://api.openai.com/v1 (env OPENAI_API_KEY) m"},
		"a provider in place of offline": {env: "GROQ_API_KEY=g IBID_MODEL=offline", flags: Flags{Provider: "groq"}, config: Config{Model: "offline"}, want: "groq  https://api.groq.com/openai/v1 (env GROQ_API_KEY) "},
		"nobody by the configuration":    {env: "OPENAI_API_KEY=o", config: Config{Offline: true}, want: "   () "},
		"chat completions at Ollama's":   {flags: Flags{Provider: "mine"}, config: Config{Providers: map[string]Settings{"mine": {Kind: "openai", BaseURL: "http://localhost:11434/v1"}}}, want: "mine openai http://localhost:11434/v1 () "},
		"Ollama by its kind":             {env: "OLLAMA_HOST=gpu", flags: Flags{Provider: "mine"}, config: Config{Providers: map[string]Settings{"mine": {Kind: "ollama"}}}, want: "mine ollama http://gpu:11434 () "},
		"Azure at an address of its own": {env: "AZURE_OPENAI_API_KEY=z", flags: Flags{Provider: "mine"}, config: Config{Providers: map[string]Settings{"mine": {Kind: "azure", BaseURL: "https://azure.example/"}}}, want: "mine azure https://azure.example (env AZURE_OPENAI_API_KEY) "},
	} {
		t.Run(name, func(t *testing.T) {
			s := &selection{config: tt.config, flags: tt.flags, last: tt.last, list: func(base string) []chains.ModelInfo {
				return map[string][]chains.ModelInfo{"http://gpu.lan:9000/v1": {{ID: "work/listed"}}}[base]
			}, getenv: func(name string) string {
				for pair := range strings.FieldsSeq(tt.env) {
					if value, ok := strings.CutPrefix(pair, name+"="); ok {
						return value
					}
				}
				return ""
			}, stored: func(name string) (key, source string, err error) {
				if key, ok := strings.CutPrefix(tt.stored, name+"="); ok {
					return key, "stored", nil
				}
				return "", "", nil
			}}
			e, named, err := s.pick()
			got := fmt.Sprintf("%s %s %s (%s) %s", e.name, e.speaks, e.base, e.source, e.model)
			if !named {
				got = ""
			}
			if err != nil || got != tt.want {
				t.Errorf("got  %q, %v\nwant %q", got, err, tt.want)
			}
		})
	}
}

// TestAllProviders: those of the configuration and those with a key, a key of one
// service once.
func TestAllProviders(t *testing.T) {
	env := map[string]string{"ANTHROPIC_API_KEY": "a", "OPENAI_API_KEY": "o", "WORK_KEY": "w", "AZURE_OPENAI_API_KEY": "z"}
	broken := errors.New("others may read it")
	s := &selection{
		config: Config{Providers: map[string]Settings{
			"work": {BaseURL: "https://api.openai.com/v1", KeyEnv: "WORK_KEY"}, "claude": {}, "box": {BaseURL: "http://gpu.lan:9000/v1"},
		}},
		getenv: func(name string) string { return env[name] },
		stored: func(string) (key, source string, err error) { return "", "keys.toml", broken },
	}
	var got []string
	for _, e := range s.all() {
		got = append(got, fmt.Sprintf("%s %s %v", e.name, e.source, e.hasKey()))
		if e.name == "box" && !errors.Is(e.trouble, broken) {
			t.Errorf("box: %v", e.trouble)
		}
	}
	want := []string{"box keys.toml true", "claude env ANTHROPIC_API_KEY true", "work env WORK_KEY true", "openai env OPENAI_API_KEY true"}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got %q", got)
	}
	e, _, _ := s.pick()
	if e.name != "openai" || e.why != "openai answers: it is the first of box, claude, work, openai; --provider chooses another" {
		t.Errorf("%s: %s", e.name, e.why)
	}
}
