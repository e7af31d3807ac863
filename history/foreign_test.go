package history

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"ibid/context/prompt"
	"ibid/vault/md"
	"ibid/vault/vaulttest"
)

// writer makes chats the way Obsidian Copilot writes them.
type writer struct{ *rand.Rand }

func (w writer) pick(list ...string) string { return list[w.IntN(len(list))] }

// prose returns text without syntax of the format.
func (w writer) prose() string {
	var b strings.Builder
	for range 1 + w.IntN(4) {
		b.WriteString(w.pick("Water the beds in the evening. ", "Peas like it cool.\n\n", "- one\n- two\n", "## Plan\n\n",
			"see [[Rota]] ", "日本 é 😀 ", "`code` "))
	}
	return strings.TrimSpace(b.String()) + "."
}

// transcript returns a conversation as a quotation for a message.
func (w writer) transcript(stamps bool) string {
	var b strings.Builder
	if w.IntN(2) == 0 {
		b.WriteString(w.prose() + "\n\n")
	}
	ticks := w.pick("", "```", "```text", "~~~")
	if ticks != "" {
		b.WriteString(ticks + "\n")
	}
	for i := range 1 + w.IntN(4) {
		b.WriteString(w.pick("**user**: ", "**ai**: ", "**user**:") + w.prose() + "\n")
		if stamps && i == 0 {
			b.WriteString("[Timestamp: 2023/02/03 04:05:06]\n")
		}
		b.WriteString(w.pick("", "\n"))
	}
	if ticks != "" {
		b.WriteString(ticks[:3] + "\n")
	}
	return b.String() + w.pick("", w.prose())
}

// said is a message as it is shown.
type saidMessage struct {
	role Role
	text string
}

// chat returns a file of Copilot with n messages whose texts come from text.
func (w writer) chat(n int, text func() string) (file string, messages []saidMessage) {
	var b strings.Builder
	b.WriteString("---\nepoch: 1764000000000\nmodelKey: \"gpt-4|openai\"\n")
	b.WriteString(w.pick("", "topic: \"A \\\"plan\\\"\"") + "\n" + w.pick("", "lastAccessedAt: 1764000300000") + "\n")
	b.WriteString("tags:\n  - copilot-conversation\n---\n\n")
	at := time.Date(2025, 11, 24, 16, 0, 0, 0, time.UTC)
	for i := range n {
		m := saidMessage{User, text()}
		header := "**user**: "
		if i%2 == 1 {
			m.role, header = Assistant, "**ai**: "
		}
		messages = append(messages, m)
		if i > 0 {
			b.WriteString("\n\n")
		}
		b.WriteString(header + m.text)
		if i%2 == 0 {
			b.WriteString(w.pick("", "", "\n[Context: Notes: Garden/Beds.md, Log/Ideas, plans.md | Tags: #work]",
				"\n[Context: URLs: https://x/a%2Cb | Folders: Archive]"))
		}
		at = at.Add(5 * time.Second)
		b.WriteString("\n[Timestamp: " + at.Format(stampLayout) + "]")
	}
	return b.String(), messages
}

// TestQuotedTranscripts: messages that quote whole conversations are read as one
// message each.
func TestQuotedTranscripts(t *testing.T) {
	w := writer{rand.New(rand.NewPCG(1, 2))}
	const all = 1500
	right := 0
	for range all {
		file, want := w.chat(2+w.IntN(6), func() string {
			switch {
			case w.IntN(150) == 0:
				return w.transcript(true) // stamps and all: nobody can tell
			case w.IntN(2) == 0:
				return w.transcript(false)
			}
			return w.prose()
		})
		c := read(t, file)
		same := len(c.Messages) == len(want)
		for i := range min(len(want), len(c.Messages)) {
			text := strings.TrimSpace(want[i].text)
			if want[i].role == Assistant {
				text = foreignReply(text)
			}
			same = same && c.Messages[i].Role == want[i].role && c.Messages[i].Text == text
		}
		if same {
			right++
		}
	}
	t.Logf("%d of %d are read right", right, all)
	if right < 1480 {
		t.Errorf("%d of %d are read right", right, all)
	}
}

// hostileForeign returns text as other programs and people leave it in a chat.
func (w writer) hostileForeign() string {
	var b strings.Builder
	for range w.IntN(8) {
		b.WriteString(hostile[w.IntN(len(hostile))])
		b.WriteString(w.pick("", " ", "\n", "<errorChunk>no</errorChunk>", "<!--AGENT_REASONING:done:1:x-->\n",
			"<!--TOOL_CALL_START:a-->banner<!--TOOL_CALL_END:a-->", "word"))
	}
	return b.String()
}

// ugly adds the white space and the properties that editors and people leave in a file.
func (w writer) ugly(file string) string {
	lines := func(s, with string) string { return strings.ReplaceAll(s, "\n", with) }
	for range 1 + w.IntN(3) {
		switch w.IntN(17) {
		case 0:
			file = lines(strings.ReplaceAll(file, "\r\n", "\n"), "\r\n")
		case 1:
			file = "\uFEFF" + strings.TrimPrefix(file, "\uFEFF")
		case 2:
			file = strings.Replace(file, "]\n\n**", "]  \t\n \n\n\n**", 1)
		case 3:
			file = strings.Replace(file, "**ai**: ", "**ai**:\t", 1)
		case 4:
			file += w.pick("\n", "\n\n\n", "  ", "\r\n", "\n\t\n ")
		case 5:
			file = strings.Replace(file, "\n---\n", "\n", 1)
		case 6:
			if _, rest, ok := strings.Cut(file, "\n---\n"); ok {
				file = rest
			}
		case 7:
			file = strings.Replace(file, "\n\n**user**", "\n\n\n# My chats\n\n  kept\t\n\n**user**", 1)
		case 8:
			file += "\n\nmy own remark " + w.pick("", " \n", "\n\n")
		case 9:
			file = strings.Replace(file, "[Timestamp: 2025",
				w.pick("[Timestamp: undefined] [", "[Timestamp: 24.11.25", "[Timestamp:  2025"), 1)
		case 10:
			file = strings.Replace(file, "tags:\n",
				"title: {a: 1}\nmodel: T\nlayout:   wide\n# why\nnotes: [x,  y]\nibidem: 1\ntags:\n", 1)
		case 11:
			file = strings.Replace(file, "epoch: ", "epoch: Jurassic # ", 1)
		case 12:
			file = strings.Replace(file, "\n---\n", "\nbroken: [1,\n\n---\n", 1)
		case 13:
			file = strings.Replace(file, "\n", "\r\n", 1+w.IntN(9))
		case 14:
			if open, rest, ok := strings.Cut(file, "\n---\n"); ok && strings.HasPrefix(file, "---\n") {
				file = strings.Replace(strings.ReplaceAll(open, "\n", "\n  "), "\n  ---", "\n---", 1) + "\n---\n" + rest
			}
		case 15:
			file = strings.Replace(file, "\n---\n", "\n...\n---\n", 1)
		case 16:
			file = strings.Replace(file, "---\n", "---\n"+w.pick("{a: 1}\n", "\tb: 1\n", "ibid: mine\n", "\"ibid\": null\n"), 1)
		}
	}
	return file
}

// TestAppended: a turn that is appended leaves every byte before it, whoever
// wrote the file, but for the hidden block and ibid's own properties; what the
// file says stays the same, through one more turn, too.
func TestAppended(t *testing.T) {
	w := writer{rand.New(rand.NewPCG(3, 4))}
	chats := 400
	if vaulttest.Slow {
		chats = 2000
	}
	for i := range chats {
		file, _ := w.chat(1+w.IntN(6), func() string {
			if w.IntN(3) == 0 {
				return w.transcript(w.IntN(4) == 0)
			}
			return w.pick(w.prose(), w.hostileForeign())
		})
		if i >= chats/2 {
			file = w.ugly(file)
		}
		was := file
		for turn := range 2 {
			c := read(t, file)
			before := shown(&c)
			now := addTurn(&c, turn)
			if err := kept(file, now); err != nil {
				t.Fatalf("turn %d: %v\nbefore %q\nafter  %q\nfirst  %q", turn, err, file, now, was)
			}
			again := read(t, now)
			if want, got := before+fmt.Sprintf("user %q\nassistant %q\n", question, "**user**: no\n[Timestamp: x]"),
				shown(&again); got != want {
				t.Fatalf("turn %d: it now says\n%s\nand should\n%s\nbefore %q\nafter  %q", turn, got, want, file, now)
			}
			if again.Epoch != c.Epoch || again.Title != c.Title || again.Compat() != c.Compat() {
				t.Fatalf("turn %d: %d %q %v became %d %q %v\n%q", turn, c.Epoch, c.Title, c.Compat(), again.Epoch, again.Title,
					again.Compat(), now)
			}
			if twice := string(Encode(&again)); twice != now {
				t.Fatalf("turn %d: not stable:\n%q\n%q", turn, now, twice)
			}
			file = now
		}
	}
}

const question = "and now?\n**ai**: x\n"

// addTurn appends a turn as a session does, and writes the chat.
func addTurn(c *Chat, n int) string {
	at := time.Date(2026, 1, 2, 3, 4, n, 0, time.UTC)
	ref := prompt.Ref{Kind: prompt.Note, ID: "New/Note.md"}
	c.Model = "llama"
	c.Messages = append(c.Messages,
		Message{
			Role: User, Text: question, Time: at, Context: Context{Notes: []string{ref.ID}},
			Meta: Meta{Items: []Item{{Ref: ref, Revision: "0123456789abcdef"}}},
		},
		Message{Role: Assistant, Text: "**user**: no\n[Timestamp: x]", Time: at})
	return string(Encode(c))
}

// shown returns the displayed text of a chat.
func shown(c *Chat) string {
	var b strings.Builder
	for _, m := range c.Messages {
		fmt.Fprintf(&b, "%s %q\n", m.Role, m.Text)
	}
	return b.String()
}

// kept reports an error if a file that was continued lost a byte of what stood
// there, but for what is ibid's own.
func kept(file, now string) error {
	parse := func(s string) (front, block, body string) {
		r, _ := parseFile(s)
		own := r.src.opening + r.src.inside + r.src.closing
		rest := s[len(own):]
		if start, end, ok := md.FindHidden(rest); ok && strings.HasPrefix(rest[start:], `<!-- ibid {"v":2`) {
			tail := strings.TrimPrefix(strings.TrimPrefix(rest[end:], "\n\n"), "\r\n\r\n")
			return own, rest[start:end], rest[:start] + tail
		}
		return own, "", rest
	}
	front, _, body := parse(file)
	nowFront, _, nowBody := parse(now)
	if front == "" || front == "\uFEFF" {
		nowBody = strings.TrimPrefix(strings.TrimPrefix(nowBody, "\r"), "\n")
	}
	if !strings.HasPrefix(nowBody, body) {
		return fmt.Errorf("the messages changed:\n%q\n%q", body, nowBody)
	}
	was, _ := parseFile(file)
	is, _ := parseFile(now)
	for _, p := range was.src.front.All {
		if p.Key == "ibid" || p.Key == "notes" && was.src.front.links != nil || was.src.front.Fixed {
			continue
		}
		if q := is.src.front.Find(p.Key); q == nil || q.Raw != p.Raw {
			return fmt.Errorf("the property %s changed: %q, %+v\n%q\n%q", p.Key, p.Raw, q, front, nowFront)
		}
	}
	return nil
}

// TestPinnedForeign: a chat of Copilot's that is pinned and tagged differs in its
// properties only, and Copilot reads it as before.
func TestPinnedForeign(t *testing.T) {
	w := writer{rand.New(rand.NewPCG(3, 4))}
	for range 300 {
		file, _ := w.chat(1+w.IntN(6), func() string {
			if w.IntN(3) == 0 {
				return w.transcript(w.IntN(2) == 0)
			}
			return w.prose()
		})
		c := read(t, file)
		c.Pinned, c.Tags = true, append(c.Tags, "work")
		written := string(encode(&c, true))
		_, before, _ := strings.Cut(file, "\n---\n")
		if _, after, _ := strings.Cut(written, "\n---\n"); after != before {
			t.Fatalf("the messages changed:\n%s\nwere\n%s", after, before)
		}
		again, _, err := decode([]byte(written), time.UTC)
		if err != nil || !again.Pinned || len(again.Tags) != 2 || len(again.Messages) != len(c.Messages) {
			t.Fatalf("read again: %v, pinned %v, tags %v, %d messages, had %d", err, again.Pinned, again.Tags,
				len(again.Messages), len(c.Messages))
		}
		for i := range c.Messages {
			if again.Messages[i].Text != c.Messages[i].Text {
				t.Fatalf("message %d reads %q, was %q", i, again.Messages[i].Text, c.Messages[i].Text)
			}
		}
	}
}
