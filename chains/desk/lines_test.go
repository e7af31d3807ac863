package desk_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/chains/offline"
	"ibid/vault"
	"ibid/vault/vaulttest"
)

// cited is a reply with sources and two blocks of code, drawn what a note has of it.
const (
	cited = "Cut it [^2], then boil [^1].\n\n```sh\nboil --long\n```\n\n```markdown\n# Jam\n```\n\n#### Sources:\n\n[^1]: [[Alpha]]\n[^2]: [[Beta]]\n"
	drawn = "Cut it [^1], then boil [^2].\n\n```sh\nboil --long\n```\n\n```markdown\n# Jam\n```\n\n[^1]: [[Beta]]\n[^2]: [[Alpha]]\n"
)

const target = `
-- Log.md --
---
tags: log
---
# Log

Seen before [^4].

## Open

- one

### Deep

- two


## Done
- three

[^4]: There.
-- crlf.md --
# A
text
-- sub/Twin.md --
x
-- other/Twin.md --
y
-- Secret.md --
---
private: true
---
-- front.md --
---
a: b
---
`

// TestLines plays the chats of testdata/lines.txt; see there.
func TestLines(t *testing.T) {
	for _, block := range strings.Split(string(value(os.ReadFile("testdata/lines.txt"))(t)), "\n=== ")[1:] {
		name, text, _ := strings.Cut(block, "\n")
		script, archive, _ := strings.Cut("\n"+text, "\n-- ")
		if archive == "$log --\n" {
			archive = target[4:]
		}
		t.Run(name, func(t *testing.T) { playLines(t, strings.TrimSpace(script), notes+"-- "+archive) })
	}
}

// playLines plays one of them, at the end of a day of 2031.
func playLines(t *testing.T, script, archive string) {
	answers := chaintest.New()
	var m chains.Model = answers
	if !strings.HasPrefix(script, "replies ") {
		m = offline.New(offline.Options{})
	}
	r := newRig(t, strings.TrimSuffix(archive, "-- "), nil)
	start := time.Now()
	r.now = func() time.Time { return time.Date(2031, 2, 3, 23, 0, 0, 0, time.Local).Add(time.Since(start)) }
	r.openDesk(m)
	said, known := "", map[string]string{"$cited": cited, "$drawn": drawn}
	has := func(text, want string) {
		if !strings.Contains(text, want) {
			t.Fatalf("no %q in\n%s", want, text)
		}
	}
	counts := func(text, rest string) { // lacks or once, and what
		how, want, _ := strings.Cut(rest, " ")
		if n := strings.Count(text, want); n != map[string]int{"lacks": 0, "once": 1}[how] {
			t.Fatalf("%d times %q in\n%s", n, want, text)
		}
	}
	is := func(got, want string) {
		if got != want {
			t.Fatalf("it is\n%q, not\n%q", got, want)
		}
	}
	named := func(do func(name, text string)) func(string) {
		return func(rest string) {
			name, text, _ := strings.Cut(rest, " ")
			if quoted, after, ok := strings.Cut(strings.TrimPrefix(rest, `"`), `" `); ok {
				name, text = quoted, after
			}
			do(name, text)
		}
	}
	write := func(name, text string) { vaulttest.Write(t, r.vault, vault.Path(name), text) }
	verbs := map[string]func(rest string){
		">":      func(rest string) { said = r.line(rest) },
		":":      func(rest string) { has(said, rest) },
		"!":      func(rest string) { counts(said, "lacks "+rest) },
		"write":  named(write),
		"remove": func(rest string) { vaulttest.Remove(t, r.vault, vault.Path(rest)) },
		"change": named(func(name, text string) {
			from, to, _ := strings.Cut(text, " | ")
			write(name, strings.Replace(r.file(name), from, to, 1))
		}),
		"holds": named(func(name, text string) { is(r.file(name), text) }),
		"note":  named(func(name, text string) { has(r.file(name), text) }),
		"keep":  func(rest string) { known[rest] = r.file(rest) },
		"same":  func(rest string) { is(r.file(rest), known[rest]) },
		"grown": named(func(name, text string) { is(r.file(name), known[name]+text) }),
		"as":    func(rest string) { known["$"+rest] = r.path() },
		"at":    func(rest string) { is(r.path(), known["$"+rest]) },
		"not":   func(rest string) { counts(" "+r.path()+" ", "lacks  "+known["$"+rest]+" ") },
		"cursor": func(rest string) {
			line := value(strconv.Atoi(rest))(t)
			check(t, vault.WriteSignal(r.signals, vault.Signal{Vault: r.vault.Dir(), Path: "A.md", Line: line, When: r.now()}))
		},
		"chat": func(rest string) { // what is visible of its file
			file := r.chatFile()
			counts(file[strings.Index(file, "\n-->\n")+1:], rest)
		},
		"sent": func(rest string) { // as the system message of the last request
			all := answers.Requests()
			counts(all[len(all)-1].Messages[0].Content, rest)
		},
		"replies": func(rest string) {
			for text := range strings.SplitSeq(rest, " | ") {
				answers.Add(chaintest.Reply{Text: text})
			}
		},
		"sit": func(rest string) { r.openDeskWithMemory(m, rest) }, // another process
	}
	for line := range strings.SplitSeq(script, "\n") {
		verb, rest, _ := strings.Cut(line, " ")
		known["$here"] = r.path()
		for name, text := range known {
			if name[0] == '$' {
				rest = strings.ReplaceAll(rest, name, strings.ReplaceAll(text, "\n", `\n`))
			}
		}
		if strings.Contains(rest, `\`) {
			rest = value(strconv.Unquote(`"` + strings.ReplaceAll(rest, `"`, `\"`) + `"`))(t)
		}
		if verbs[verb] == nil {
			t.Fatalf("what is %q?", line)
		}
		t.Log(line)
		verbs[verb](rest)
	}
}

func (r *rig) file(name string) string {
	data, err := os.ReadFile(filepath.Join(r.vault.Dir(), filepath.FromSlash(name)))
	if err != nil {
		return err.Error()
	}
	return string(data)
}

func (r *rig) holds(name, want string) {
	r.t.Helper()
	if got := r.file(name); got != want {
		r.t.Fatalf("%s holds\n%q, want\n%q", name, got, want)
	}
}
