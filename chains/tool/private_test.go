package tool_test

import (
	"context"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ibid/chains"
	"ibid/chains/tool"
	"ibid/context/gather"
	"ibid/context/prompt"
	"ibid/vault"
	"ibid/vault/index"
	"ibid/vault/state"
	"ibid/vault/vaulttest"
)

// withheldVault holds notes that no model may know of, in words that no other note
// has, beside those that link to them. outside is a folder that a link leads to.
const withheldVault = `
-- Plans/Roof.md --
---
tags: [house]
---
# Roof
See [[Beam]], [[Zebulon]], [[Quoll]], [[Outlier]] and [[Sealed]].
-- Beam.md --
The beam holds the [[Roof]]. #house #timber
-- Zebulon.md --
---
private: true
tags: [zirconium, house]
type: zeolite
---
# Zenith
The zucchini [[Roof]] [[Beam]] zyx. #timber
-- Hidden/Quoll.md --
---
tags: [quetzal, house]
type: quasar
---
# Quagmire
The quinoa [[Roof]] [[Beam]] qux. #timber
-- Hidden/quince.txt --
quinoa
-- Sealed.md --
---
private: true
broken: [
---
Sealant sealskin [[Roof]] #sealion
-- .obsidian/app.json --
{"userIgnoreFilters":["Hidden/"]}
-- Chats/Talk.md --
---
epoch: 1
modelKey: m
tags: [copilot-conversation]
---

**user**: The vuvuzela [[Roof]] #voucher
`

// secrets are the words in names, properties and texts that must not be sent.
var secrets = strings.Fields("zirconium zeolite zenith zucchini zyx quetzal quasar quagmire quinoa qux quince sealant sealskin sealion outrigger outpost vuvuzela voucher")

// TestNothingWithheld: whatever is called with whatever arguments, no byte of a
// private note, of an ignored folder, of a file outside and of the chat that calls is
// in what comes back, for the model and for the person.
func TestNothingWithheld(t *testing.T) {
	dir := vaulttest.Dir(t, withheldVault)
	outside := vaulttest.Dir(t, "-- Outlier.md --\n---\ntags: [outpost]\n---\nThe outrigger [[Roof]].\n")
	for name, to := range map[string]string{"Outside": outside, "Outlier.md": filepath.Join(outside, "Outlier.md")} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Skip("no symbolic links here")
		}
	}
	v := vaulttest.Open(t, dir, vault.Options{})
	v.SetChats("Chats")
	value(v.Revalidate(t.Context()))(t)
	g := gather.New(v, gather.Options{})
	paths := []string{
		"Plans/Roof.md", "Beam.md", "Zebulon.md", "Hidden/Quoll.md", "Hidden/quince.txt", "Sealed.md",
		"Outlier.md", "Outside/Outlier.md", "Chats/Talk.md", ".obsidian/app.json", outside + "/Outlier.md", "../" +
			filepath.Base(outside) + "/Outlier.md", "Gone.md",
	}
	words := append([]string{
		"roof", "beam", "Hidden", "Hidden/", "hidden", "Outside", "Plans", "", "[[Zebulon]]",
		"[[Quoll]]", "house", "timber", "#house", "last year", "vault", "folder", "pinned", "tabs", "library",
		"last_shown", "turn:1", "Outlier", "Quoll", "Zebulon", "Sealed", "tab:Zebulon.md",
	}, paths...)
	words = append(words, secrets...)
	word := rapid.SampledFrom(words)
	rapid.Check(t, func(t *rapid.T) {
		path := func(label string) vault.Path { return vault.Path(rapid.SampledFrom(paths).Draw(t, label)) }
		around := state.State{Active: vault.ActiveNote{Path: path("active"), Live: true}}
		for range rapid.IntRange(0, 3).Draw(t, "pins") {
			around.Pins = append(around.Pins, vault.Pin{Path: path("pin")})
			around.Tabs = append(around.Tabs, state.Tab{Path: path("tab"), Source: state.Search})
		}
		tools := tool.New(tool.Options{
			Vault: v, Revision: g.Revision, Chats: "Chats", State: func(string) state.State { return around }, Now: today,
			Searcher: func(context.Context) index.Searcher { return index.Searcher{Source: v} },
		})
		each := tools[rapid.IntRange(0, len(tools)-1).Draw(t, "tool")]
		args := arguments(t, each.Spec().Schema, word)
		by := chains.Caller{Chat: "Chats/Talk.md", Room: rapid.SampledFrom([]int{0, 600, 24000}).Draw(t, "room")}
		by.Version = func(ctx context.Context, path string, _ int) (v chains.Version, err error) {
			items, _, err := g.Gather(ctx, []prompt.Ref{{Kind: prompt.Note, ID: path}})
			if len(items) == 1 {
				v.Now = items[0]
			}
			return v, err
		}
		out := value(chains.RunTool(by.In(context.Background()), each, args))(t)
		text := out.Result(each.Spec().Name).Text(nil) + out.Note
		for _, s := range out.Sources {
			text += s.Path + s.Heading
		}
		text = strings.ToLower(withoutArguments(text, args))
		for _, secret := range secrets {
			if strings.Contains(text, secret) {
				t.Fatalf("%s %s says %q:\n%s", each.Spec().Name, args, secret, text)
			}
		}
		if strings.ContainsAny(out.Note, "\x1b\n") {
			t.Fatalf("%s %s: the note is %q", each.Spec().Name, args, out.Note)
		}
	})
}

// arguments returns random arguments that fit a schema.
func arguments(t *rapid.T, schema string, word *rapid.Generator[string]) string {
	var s struct {
		Properties map[string]struct {
			Type             string
			Enum             []string
			Minimum, Maximum *int
		}
		Required []string
	}
	check(t, json.Unmarshal([]byte(schema), &s))
	args := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		p := s.Properties[name]
		switch {
		case len(s.Required) == 0 && rapid.Bool().Draw(t, "left out "+name), len(p.Enum) > 0 &&
			rapid.Bool().Draw(t, "left out "+name):
		case len(p.Enum) > 0:
			args[name] = rapid.SampledFrom(p.Enum).Draw(t, name)
		case p.Type == "string":
			args[name] = word.Draw(t, name)
		case p.Type == "array":
			args[name] = rapid.SliceOfN(word, 0, 3).Draw(t, name)
		case p.Type == "boolean":
			args[name] = rapid.Bool().Draw(t, name)
		case p.Type == "integer":
			low, high := 0, 1000
			if p.Minimum != nil {
				low = *p.Minimum
			}
			if p.Maximum != nil {
				high = *p.Maximum
			}
			args[name] = rapid.IntRange(low, max(low, high)).Draw(t, name)
		}
	}
	data := value(json.Marshal(args))(t)
	return string(data)
}

// withoutArguments removes the caller's own words from a text.
func withoutArguments(text, args string) string {
	var said map[string]any
	_ = json.Unmarshal([]byte(args), &said)
	var words []string
	for _, v := range said {
		switch v := v.(type) {
		case string:
			words = append(words, v)
		case []any:
			for _, e := range v {
				if e, ok := e.(string); ok {
					words = append(words, e)
				}
			}
		}
	}
	slices.SortFunc(words, func(a, b string) int { return len(b) - len(a) }) // one may be part of another
	for _, w := range words {
		if w != "" {
			text = strings.ReplaceAll(text, w, "")
		}
	}
	return text
}
