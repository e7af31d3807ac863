package history

import (
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"ibid/context/prompt"
	"ibid/vault/md"
)

// hostile are the pieces that texts and paths are made of: everything that means
// something to the format, and things that editors and people write.
var hostile = []string{
	"**user**: ", "**user**:", "**ai**: ", "**ai**:", "[Timestamp: ", "[Timestamp: 2024/02/03 04:05:06]",
	"[Timestamp: Unknown time]",
	"[Context: ", "[Context: Notes: x.md]", `\`, `\\`, "```", "~~~", "```go", "\n", "\n\n", "\r\n", "\r", " ", "\t", "]",
	"[", ", ", ",", " | ", "|",
	"-->", "<!-- ibid {", "<!--", "---", "---\n", "%2C", "%5D", "%25", "%", "é", "日本", "😀", "\u2028", "\x00",
	"\x1b[31m", "word", "#", "[[link]]",
	"<think>", "</think>", "\xff",
}

func hostileText() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom(hostile), 0, 12).Draw(t, "pieces"), "")
	})
}

// hostilePath generates names that a file system allows. They are valid UTF-8, since the
// engine's ids are.
func hostilePath() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		s := strings.ToValidUTF8(hostileText().Draw(t, "path"), "")
		s = strings.ReplaceAll(s, "\x00", "")
		if s == "" {
			return "a.md"
		}
		return s
	})
}

func urls() *rapid.Generator[string] {
	return rapid.SampledFrom([]string{
		"https://h/p?a=1", "https://h/?q=a%2Cb%5D", "http://[::1]:80/", "https://h/a,b|c", "https://h/%25",
	})
}

func drawContext(t *rapid.T) Context {
	list := func(name string) []string {
		l := rapid.SliceOfNDistinct(hostilePath(), 0, 3, rapid.ID).Draw(t, name)
		if len(l) == 0 {
			return nil
		}
		return l
	}
	c := Context{
		Notes: list("notes"), Tags: list("tags"), Folders: list("folders"), Selections: list("selections"),
		Pins: list("pins"), Images: list("images"),
	}
	if l := rapid.SliceOfNDistinct(urls(), 0, 3, rapid.ID).Draw(t, "urls"); len(l) > 0 {
		c.URLs = l
	}
	if rapid.Bool().Draw(t, "has active") {
		c.Active = hostilePath().Draw(t, "active")
	}
	return c
}

func drawTime(t *rapid.T) time.Time {
	if rapid.Bool().Draw(t, "timeless") {
		return time.Time{}
	}
	return time.Unix(rapid.Int64Range(1, 4e9).Draw(t, "time"), 0).UTC()
}

func drawMessage(t *rapid.T) Message {
	m := Message{Role: rapid.SampledFrom([]Role{User, Assistant}).Draw(t, "role")}
	m.Text = hostileText().Draw(t, "text")
	m.Notes = rapid.SliceOfN(hostilePath(), 0, 2).Draw(t, "notes")
	m.Time = drawTime(t)
	if after := strings.Trim(hostileText().Draw(t, "after"), "\r\n"); strings.TrimSpace(after) != "" {
		m.After = after
	}
	if m.Role == Assistant {
		m.Status = rapid.SampledFrom([]Status{"", StatusCut, StatusCancelled, StatusError("rate")}).Draw(t, "status")
		return m
	}
	m.Context = drawContext(t)
	// The exact spelling of URLs is the hidden block's business.
	refs := m.Context.Refs()
	if m.Meta.Refs = slices.Clone(refs); len(refs) > 1 && rapid.Bool().Draw(t, "own order") {
		slices.Reverse(m.Meta.Refs)
	}
	if m.plainRefs() {
		m.Meta.Refs = nil // says no more than the line
	}
	for _, r := range refs {
		m.Meta.Items = append(m.Meta.Items, Item{Ref: r, Revision: "0123456789abcdef"})
	}
	return m
}

func drawChat(t *rapid.T) Chat {
	c := Chat{
		Epoch: rapid.Int64Range(1, 4e12).Draw(t, "epoch"),
		Title: cleanTitle(hostileText().Draw(t, "title")),
		Model: "m", ModelKey: strings.ToValidUTF8(hostileText().Draw(t, "key"), "") + "k",
		Tags:     []string{chatTag, "other", "#", "a: b"}[:rapid.IntRange(1, 2).Draw(t, "tags")],
		Layout:   rapid.SampledFrom([]string{"", "auto", "yes", "1"}).Draw(t, "layout"),
		Chain:    rapid.SampledFrom([]string{"", "vault", "a: \"b\" # c"}).Draw(t, "chain"),
		Project:  rapid.SampledFrom([]string{"", "Projects/Barn/", "a: \"b\" # c/"}).Draw(t, "project"),
		Messages: rapid.SliceOfN(rapid.Custom(drawMessage), 0, 6).Draw(t, "messages"),
		Choices: Choices{
			Active:   rapid.SampledFrom([]string{"", "off", "a -- b.md"}).Draw(t, "active"),
			ToolsOff: rapid.SampledFrom([][]string{nil, {}, {"readNote", "a -- b"}}).Draw(t, "off"),
		},
		Muted: []prompt.Ref{{Kind: prompt.Note, ID: "m--->.md"}},
	}
	if rapid.Bool().Draw(t, "usage") {
		c.Totals = []Total{{Month: "2025-01", Model: "m -- x", Turns: 2, Usage: Usage{Prompt: 10, Completion: 3, Cost: 0.25}}}
	}
	if rapid.Bool().Draw(t, "branched") {
		c.Origin = Origin{Epoch: 7, Message: 2}
	}
	drawVariants(t, &c)
	return c
}

// drawVariants adds variants to some turns, and undoes some turns.
func drawVariants(t *rapid.T, c *Chat) {
	for n := 1; n <= c.Turns(); n++ {
		at := turnStart(c, n)
		if ends := rapid.SliceOfN(rapid.Custom(drawEnd(&c.Messages[at])), 0, 3).Draw(t, "ends"); len(ends) > 0 {
			shown := rapid.IntRange(0, len(ends)).Draw(t, "shown")
			c.Messages[at].Variants = slices.Insert(ends, shown, Variant{
				Model: rapid.SampledFrom([]string{"", "a -- b"}).Draw(t, "model"),
			})
		}
	}
	for range rapid.IntRange(0, 2).Draw(t, "undone") {
		c.Undone = append(c.Undone, rapid.SliceOfN(rapid.Custom(drawEnd(nil)), 1, 2).Draw(t, "taken back"))
	}
}

// drawEnd generates a variant of a turn, which may have the question of the chat.
func drawEnd(question *Message) func(*rapid.T) Variant {
	drawn := 0
	return func(t *rapid.T) Variant {
		v := Variant{Model: rapid.SampledFrom([]string{"", "m"}).Draw(t, "model")}
		if rapid.Bool().Draw(t, "reported") {
			v.Usage = &Usage{Prompt: 5, Cached: -1, Completion: 2, Cost: 0.5}
		}
		if question != nil && rapid.Bool().Draw(t, "same question") {
			v.Messages = []Message{*question}
		}
		for drawn++; ; {
			m := drawMessage(t)
			m.Text = strings.ToValidUTF8(m.Text, "")
			m.After = strings.ToValidUTF8(m.After, "")
			switch first := len(v.Messages) == 0; {
			case first != (m.Role == User):
				continue
			case m.Role == Assistant:
				m.Time = time.Unix(4e9+int64(drawn), 0).UTC() // no two ends are the same, and none the one that is shown
				v.Messages = append(v.Messages, m)
				return v
			}
			v.Messages = append(v.Messages, m)
		}
	}
}

var compareChats = cmp.Options{cmpopts.IgnoreUnexported(Chat{}, Message{}), cmpopts.EquateEmpty()}

// comments are the beginnings of the hidden block and of the variants.
var comments = []string{md.HiddenOpen + ` {"v"`, variantsOpen + "\n{"}

// promises are checks that hold for every saved chat, whatever people and models write.
var promises = map[string]func(t *rapid.T, c *Chat, file string){
	// S0-104 and S0-111: a chat is read exactly as it was saved.
	"round trip": func(t *rapid.T, c *Chat, file string) {
		got, warnings, err := decode([]byte(file), time.UTC)
		check(t, err)
		for _, w := range warnings {
			if w.Kind != "appended" {
				t.Fatalf("warning %+v", w)
			}
		}
		if d := cmp.Diff(*c, got, compareChats); d != "" {
			t.Fatal(d)
		}
		if again := Encode(&got); string(again) != file {
			t.Fatalf("encoded again:\n%q", again)
		}
	},
	// K31: the hidden block can be taken out, and the transcript and its contexts do not change.
	"without the block": func(t *rapid.T, c *Chat, file string) {
		for _, open := range comments {
			if i := strings.Index(file, open); i >= 0 {
				file = file[:i] + file[i+strings.Index(file[i:], md.HiddenClose)+len(md.HiddenClose):]
			}
		}
		got := read(t, file)
		want := []Message{}
		for _, m := range c.Messages {
			m.Meta, m.Status, m.Notes, m.Variants = Meta{}, "", nil, nil
			for i, url := range m.Context.URLs {
				m.Context.URLs[i] = escapeItem(url, true)
			}
			want = append(want, m)
		}
		if d := cmp.Diff(want, got.Messages, compareChats); d != "" {
			t.Fatal(d)
		}
	},
	// S4-31: notes to self are in the block alone, and it holds nothing that ends it or starts a message.
	"hidden": func(t *rapid.T, c *Chat, file string) {
		for _, open := range comments {
			_, rest, _ := strings.Cut(file, open)
			text, _, _ := strings.Cut(rest, md.HiddenClose)
			if strings.Contains(text, "--") || strings.Contains(text, "**") || rest != "" && !utf8.ValidString(text) {
				t.Fatalf("the comment can be misread: %s", text)
			}
		}
	},
	// Copilot finds a message by a header at the start of a line, everywhere.
	"Copilot reads": func(t *rapid.T, c *Chat, file string) {
		headers := 0
		for line := range strings.SplitSeq(bodyOf([]byte(file)), "\n") {
			if strings.HasPrefix(line, "**user**: ") || strings.HasPrefix(line, "**ai**: ") {
				headers++
			}
		}
		if want := len(c.Messages); headers != want {
			t.Fatalf("%d headers for %d messages", headers, want)
		}
	},
}

func TestPromises(t *testing.T) {
	for name, promise := range promises {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				c := drawChat(t)
				file := string(Encode(&c))
				t.Logf("file:\n%q", file)
				promise(t, &c, file)
			})
		})
	}
}

// bodyOf returns a file without its frontmatter.
func bodyOf(file []byte) string {
	_, at, _ := md.Frontmatter(string(file))
	return string(file[at:])
}

func FuzzDecode(f *testing.F) {
	for _, s := range []string{
		"", "**user**: a", "---\nepoch: 1\n---\n\n**user**: a\n[Context: Notes: a.md]\n[Timestamp: 2024/01/01 00:00:00]",
		"---\nibid: 1\n---\n\n<!-- ibid {\"v\":1,\"hash\":\"\",\"turns\":[{\"h\":\"\"}]} -->\n\n**ai**: b\n\nafter",
		"**ai**: ```\n**user**: a\n```\n[Timestamp: Unknown time]\nmore", "---\n{a: 1, epoch: 2}\n---\n",
		"\uFEFF---\r\nepoch: 5\r\n---\r\n**user**:\r\nx",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		c, _, err := decode(data, time.UTC)
		if err != nil {
			return
		}
		once := Encode(&c)
		again, _, err := decode(once, time.UTC)
		if err != nil {
			t.Fatalf("what was written cannot be read: %v\n%q", err, once)
		}
		for i, m := range c.Messages {
			if i >= len(again.Messages) || again.Messages[i].Role != m.Role ||
				again.Messages[i].Text != m.Text && ownReply(m.Text) == m.Text {
				t.Fatalf("message %d: %+v\nfile %q", i, m, once)
			}
		}
		if twice := Encode(&again); string(twice) != string(once) {
			t.Fatalf("not stable:\n%q\n%q", once, twice)
		}
	})
}
