package offline

import (
	"io/fs"
	"os"
	"path"
	"strings"
	"testing"

	"ibid/chains"
	"ibid/context/prompt"
	"ibid/vault/md"
)

// TestDemo asks what a person asks first in the sample vault, with all of its
// notes attached.
func TestDemo(t *testing.T) {
	docs := demoNotes(t)
	for _, c := range []struct {
		question string
		want     []string // in this order
	}{
		// without the id of the block
		{
			"what does @Garden plan say about tomatoes?",
			[]string{"[[Projects/Garden plan#Tomatoes]]", "> Sow indoors", "the middle of May.\n", "San Marzano"},
		},
		{"What is ibid?", []string{"From [[Start here]]:", "> ibid is a chat client for the terminal"}},
		{"what are the five layers?", []string{"[[Guide/Five layers]]", "> | L1 System |", "> | L5 You |"}},
		{
			"what breaks the cache?",
			[]string{"[[Guide/What it costs#What breaks the cache]]", "> | switch to another model |"},
		},
		{"which key stops a reply?", []string{"[[Guide/Keys and commands#Keys]]", "> | Key | What it does |", "> | esc |"}},
		{"is a private note ever sent?", []string{"[[Guide/Privacy#Private notes]]", "is never sent"}},
		{"what is a pin?", []string{"[[Guide/The active note and pins#Pins]]", "> A pinned note goes with every turn"}},
		{"where are my chats saved?", []string{"[[Guide/Chats are notes]]", "markdown file in your vault"}},
		{"summarize @Garden plan", []string{"[[Projects/Garden plan]]", "Four beds", "[[Projects/Garden plan#Compost]]"}},
		{
			"why did the tomatoes get blight?",
			[]string{"Blight came in August after a wet week", "[[Daily/2026-11-20#Looking back at the garden]]"},
		},
		{"what helps against blight?", []string{"[[Projects/Garden plan#Tomatoes]]", "did not get blight"}},
		{"how do I start Ollama?", []string{"[[Guide/Connecting a model#On your own machine]]", "> Start [Ollama]"}},
		{
			"What is the capital of Mongolia?",
			[]string{"None of the 15 attached notes answers that", "do not hold “capital” and “Mongolia”", "attach it with @"},
		},
	} {
		t.Run(c.question, func(t *testing.T) {
			got := stream(t, New(Options{}), chains.Request{Documents: docs, Question: c.question})
			rest := got
			for _, w := range c.want {
				_, after, ok := strings.Cut(rest, w)
				if !ok {
					t.Fatalf("no %q in its place in\n%s", w, got)
				}
				rest = after
			}
			verbatim(t, docs, got)
		})
	}
}

// Every link of the sample vault leads to one of its notes, and to a heading
// that is there.
func TestDemoLinks(t *testing.T) {
	docs := demoNotes(t)
	s, err := newShelf(t.Context(), docs)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range s.docs {
		if n := strings.Count(d.item.Content, "\n") + 1; n < 20 || n > 80 {
			t.Errorf("%s has %d lines", d.item.Path, n)
		}
		rest := d.item.Content
		for n := 0; ; n++ {
			_, after, ok := strings.Cut(rest, "[[")
			if !ok {
				if n == 0 {
					t.Errorf("%s has no links", d.item.Path)
				}
				break
			}
			inner, length := md.Wikilink("[[" + after)
			rest = ("[[" + after)[length:]
			target, _ := md.Target(inner)
			name, sub, _ := strings.Cut(target, "#")
			if target == "" {
				continue // brackets in code
			}
			if found := s.documentsNamed(name); len(found) != 1 {
				t.Errorf("%s links to %s: %d notes", d.item.Path, target, len(found))
			} else if sub != "" && sub[0] != '^' && !hasHeading(found[0], sub) {
				t.Errorf("%s links to %s: no such heading", d.item.Path, target)
			}
		}
	}
}

func hasHeading(d *document, title string) bool {
	for _, s := range d.sections {
		if s.title == title {
			return true
		}
	}
	return false
}

func demoNotes(t *testing.T) []prompt.Item {
	t.Helper()
	var docs []prompt.Item
	root := os.DirFS("../../ui/cli/demo")
	err := fs.WalkDir(root, ".", func(p string, e fs.DirEntry, err error) error {
		if err != nil || path.Ext(p) != ".md" {
			return err
		}
		text, err := fs.ReadFile(root, p)
		docs = append(docs, note(p, string(text)))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return docs
}
