package tool_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/chains/tool"
	"ibid/context/gather"
	"ibid/context/prompt"
	"ibid/ui/plain"
	"ibid/vault"
	"ibid/vault/index"
	"ibid/vault/undo"
	"ibid/vault/vaulttest"
)

// hostileNotes opens the notes of testdata/hostile.txtar, and lists the names of
// those that try something.
func hostileNotes(t *testing.T) (v *vault.Vault, names []string) {
	t.Helper()
	data := value(os.ReadFile(filepath.Join("testdata", "hostile.txtar")))(t)
	archive := strings.NewReplacer("␛", "\x1b", "␇", "\a", "␚", "\u009b", "␝", "\u009d").Replace(string(data))
	for _, f := range txtar.Parse([]byte(archive)).Files {
		if name, ok := strings.CutPrefix(f.Name, "Orchard/"); ok {
			names = append(names, strings.TrimSuffix(name, ".md"))
		}
	}
	return vaulttest.New(t, archive), names
}

// drawing are characters that a terminal acts on.
const drawing = "\x00\x1b\a\r\u0080\u0085\u009b\u009d\u202a\u202b\u202d\u202e\u2066\u2067\u2068"

// orders match the texts in notes that ask for a call: a name, and arguments.
var orders = []*regexp.Regexp{
	regexp.MustCompile(`(?s)<use_tool name="(\w+)">\s*(\{.*?\})\s*</use_tool>`),
	regexp.MustCompile(`\{"name":"(\w+)","arguments":(\{.*?\})\}`),
	regexp.MustCompile(`[Cc]all (\w+) with (\{[^}]*\})`),
	regexp.MustCompile(`(writeToFile)><path>(.*?)</path>`),
	regexp.MustCompile(`<(localSearch)>(\{.*?\})</localSearch>`),
}

// obeying returns a reply of a model that obeys the passages: it makes the calls that they ask
// for, and repeats them word for word.
func obeying(calls map[string]int) chaintest.Reply {
	return chaintest.Reply{Func: func(r chains.Request) chaintest.Reply {
		var reply chaintest.Reply
		for _, it := range r.Documents {
			if it.Source == nil {
				continue
			}
			reply.Text += it.Content + "\n"
			for _, order := range orders {
				for _, found := range order.FindAllStringSubmatch(it.Content, -1) {
					calls[found[1]]++
					args := found[2]
					if !json.Valid([]byte(args)) {
						path, _ := json.Marshal(found[2]) // strings always marshal
						args = `{"path":` + string(path) + `,"content":"owned"}`
					}
					reply.ToolCalls = append(reply.ToolCalls, prompt.ToolCall{Name: found[1], Arguments: args})
				}
			}
		}
		return reply
	}}
}

// loopingVault searches like chain vault, and runs what the model calls.
type loopingVault struct{ chains.Agent }

func (v loopingVault) Open(ctx context.Context, t *chains.Turn) error {
	if err := (chains.Vault{}).Open(ctx, t); err != nil {
		return err
	}
	return v.Agent.Open(ctx, t)
}

// dangerous returns tools that write and that use the network, and counts their runs.
func dangerous(did map[string]int) []chains.Tool {
	var tools []chains.Tool
	for _, name := range []string{"writeToFile", "editFile", "updateMemory"} {
		tools = append(tools, chaintest.Writer(name, "Owned.md", "owned", func(d chains.Decision) (string, error) {
			if d.Yes {
				did[name]++
			}
			return "applied", nil
		}))
	}
	return append(tools, &chaintest.Tool{
		ToolSpec: chains.ToolSpec{
			Name: "fetchUrl", Description: "Fetches a page.", Schema: `{"type":"object"}`,
			Ask: chains.AccessWeb,
		},
		Func: func(context.Context, json.RawMessage) (chains.ToolOutput, error) {
			did["fetchUrl"]++
			return chains.ToolOutput{Text: "fetched"}, nil
		},
	})
}

// proposing returns the tools that propose changes of a vault.
func proposing(t *testing.T, v *vault.Vault) (*undo.Journal, []chains.Tool) {
	t.Helper()
	j := undo.New(v, undo.Options{StateDir: t.TempDir(), Days: 30, Chats: "Chats"})
	none := func(context.Context) index.Searcher { return index.Searcher{Source: v} }
	return j,
		slices.DeleteFunc(tool.New(tool.Options{
			Vault: v, Searcher: none, Now: today, Journal: j,
			Memory: func() string { return "Memory.md" },
		}), func(t chains.Tool) bool { return !t.Spec().Writes })
}

// drawsNothing checks that texts about a note contain nothing that a terminal acts on.
func drawsNothing(t *testing.T, name string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if i := strings.IndexAny(text, drawing); i >= 0 {
			t.Errorf("%s: %q reaches the terminal", name, text[max(0, i-20):min(len(text), i+20)])
		}
	}
}

// The same notes, and a model that obeys them, with the tools that write: each change is
// asked about, none is made without a yes, and what is asked draws nothing on the
// terminal.
func TestHostileWrites(t *testing.T) {
	v, names := hostileNotes(t)
	before := files(t, v)
	journal, writers := proposing(t, v)
	asked := 0
	for _, name := range names {
		model := chaintest.New(obeying(map[string]int{}))
		s := chains.NewSession(chains.Options{
			Model: model, Gather: gather.New(v, gather.Options{}), Chain: loopingVault{}, Now: today,
			Tools: chains.Toolbox{List: append(vaultTools(v, index.Searcher{Source: v}), writers...), Words: tool.Words},
		})
		var out, errs bytes.Buffer
		screen := plain.Output{Out: &out, Err: &errs, Approve: plain.Approvals{"@read", "@web"}}
		for event, err := range s.Send(t.Context(), chains.Input{Text: "what does the " + name + " note say?"}) {
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if a, ok := event.(chains.Asked); ok && a.Kind == chains.AccessWrite {
				asked++
			}
			screen.Event(t.Context(), event)
		}
		drawsNothing(t, name, out.String(), errs.String())
		is(t, s.Policy().Mode(), chains.ModeAsk, name)
	}
	if asked == 0 {
		t.Error("no note has a change proposed")
	}
	if all, err := journal.List(); len(all) > 0 || err != nil {
		t.Errorf("written: %v, %v", all, err)
	}
	is(t, files(t, v), before, "the vault")
}

// Notes that command a model that obeys them: nothing is written, nothing leaves
// the machine, and no text gets out of its block or draws on the terminal.
func TestHostileNotes(t *testing.T) {
	v, names := hostileNotes(t)
	before := files(t, v)
	searcher := index.Searcher{Source: v}
	wanted, did, tried := map[string]int{}, map[string]int{}, 0
	for _, chain := range []chains.Chain{chains.Vault{}, loopingVault{}} {
		for _, name := range names {
			model := chaintest.New(obeying(wanted))
			s := chains.NewSession(chains.Options{
				Model: model, Gather: gather.New(v, gather.Options{}), Chain: chain, Now: today,
				Tools: chains.Toolbox{List: append(dangerous(did), vaultTools(v, searcher)...), Words: tool.Words},
			})
			var out, errs bytes.Buffer
			screen := plain.Output{Out: &out, Err: &errs}
			question := "what does the " + name + " note say?"
			for event, err := range s.Send(t.Context(), chains.Input{Text: question}) {
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				if asked, ok := event.(chains.Asked); ok {
					asked.Answer(chains.Decision{}) // nobody says yes
				}
				screen.Event(t.Context(), event)
			}
			requests := model.Requests()
			sources := 0
			if slices.ContainsFunc(requests[0].Documents, func(it prompt.Item) bool {
				return it.Path == "Orchard/"+name+".md"
			}) {
				tried++
			}
			for _, it := range requests[0].Documents {
				if it.Source != nil {
					sources++
				}
			}
			messages := requests[0].Messages
			holdsBlock(t, messages[len(messages)-1].Content, question, sources)
			drawsNothing(t, name, out.String(), errs.String())
			for _, r := range requests {
				for _, m := range r.Messages {
					if strings.Contains(m.Content, "tourmaline") {
						t.Errorf("%s: a private note is sent:\n%s", name, m.Content)
					}
				}
			}
		}
	}
	if tried != 2*len(names) || len(names) != 60 {
		t.Errorf("%d notes were found in 2 × %d turns", tried, len(names))
	}
	for _, name := range []string{"writeToFile", "editFile", "updateMemory", "fetchUrl", "localSearch"} {
		if wanted[name] == 0 {
			t.Errorf("no note has %s called", name)
		}
	}
	if len(did) > 0 {
		t.Errorf("done for the notes: %v", did)
	}
	is(t, files(t, v), before, "the vault")
}

// The same notes, attached: none fakes a block, and none ends its own.
func TestHostileAttached(t *testing.T) {
	v, names := hostileNotes(t)
	model := chaintest.New(chaintest.Reply{Text: "Seen."})
	s := chains.NewSession(chains.Options{Model: model, Gather: gather.New(v, gather.Options{}), Now: today})
	in := chains.Input{Text: "what do these notes say?"}
	for _, name := range names {
		in.Attach = append(in.Attach, prompt.Ref{Kind: prompt.Note, ID: "Orchard/" + name + ".md"})
	}
	for _, err := range s.Send(t.Context(), in) {
		check(t, err)
	}
	var all strings.Builder
	for _, m := range model.Requests()[0].Messages {
		all.WriteString(m.Content + "\n")
	}
	for pattern, want := range map[string]int{
		`(?i)</?(localsearch|websearch|use_tool|tool_call|writetofile|guidance)\b`: 0,
		`(?i)</note_context>`: len(names), `(?i)</content>`: len(names),
	} {
		is(t, len(regexp.MustCompile(pattern).FindAllString(all.String(), -1)), want, pattern)
	}
}

// holdsBlock checks that a message is one block of passages, and the question.
func holdsBlock(t *testing.T, message, question string, documents int) {
	t.Helper()
	if !strings.HasPrefix(message, "# Additional context:\n\n<localSearch query=") ||
		!strings.HasSuffix(message, "\n\n---\n\n[User query]:\n"+question) {
		t.Errorf("%s: begins or ends otherwise:\n%s", question, message)
	}
	for pattern, want := range map[string]int{
		`(?i)<\s*/\s*localsearch\s*>`: 1, `(?i)<localsearch\b`: 1, `(?i)</?guidance>`: 2, `(?m)^\[User query\]:$`: 1,
		`(?i)<document>`: documents, `(?i)</document>`: documents, `(?i)</content>`: documents,
		`(?i)</?(note_context|websearch|use_tool|tool_call|writetofile)\b`: 0,
	} {
		is(t, len(regexp.MustCompile(pattern).FindAllString(message, -1)), want, question, pattern)
	}
}

// files returns all files of a vault with their texts.
func files(t *testing.T, v *vault.Vault) map[string]string {
	t.Helper()
	all := map[string]string{}
	root := os.DirFS(v.Dir())
	check(t, fs.WalkDir(root, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := fs.ReadFile(root, name)
		all[name] = string(data)
		return err
	}))
	return all
}
