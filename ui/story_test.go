package ui_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"
	"github.com/rogpeppe/go-internal/txtar"

	"ibid/chains"
	"ibid/chains/chaintest"
	"ibid/ui"
	"ibid/ui/uitest"
	"ibid/vault"
	"ibid/vault/vaulttest"
)

// story is a file of testdata/stories: a line for each action or check, and notes besides those
// of band. A line is a verb and one or two texts, separated by " => ". A text that begins with
// a quote is quoted, and a quoted part can be repeated: "line\n"*50.
type story struct {
	*testing.T
	*rig
	robot   *uitest.Robot
	screens []string
	archive string
	make    func(*testing.T) *rig
	options func(*ui.Options)
	session func(*chains.Options)
	watch   bool
	replies []chaintest.Reply
}

// TestStories plays all stories.
func TestStories(t *testing.T) {
	files, err := filepath.Glob("testdata/stories/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no stories", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			all, err := txtar.ParseFile(file)
			check(t, err)
			script := string(all.Comment)
			all.Comment = nil
			s := &story{T: t, screens: []string{"80x24"}, archive: band + string(txtar.Format(all))}
			lines := slices.DeleteFunc(strings.Split(strings.TrimSpace(script), "\n"), func(line string) bool {
				return strings.HasPrefix(line, "#")
			})
			for s.prepare(lines[0]) {
				lines = lines[1:]
			}
			if len(s.screens) == 1 {
				s.playOn(t, s.screens[0], lines)
				return
			}
			for _, size := range s.screens {
				t.Run(size, func(t *testing.T) { s.playOn(t, size, lines) })
			}
		})
	}
}

// playOn plays the lines on a screen of a size.
func (s *story) playOn(t *testing.T, size string, lines []string) {
	w, h, _ := strings.Cut(size, "x")
	playOn(t, number(w), number(h), s.open, func(r *stage) {
		s.T, s.rig, s.robot = r.T, r.rig, r.Robot
		for _, line := range lines {
			s.play(line)
		}
	})
}

// open makes the rig of the story.
func (s *story) open(t *testing.T) *rig {
	if s.make != nil {
		return s.make(t)
	}
	g := newRig(t, s.archive, s.replies...)
	if g.change(s.options); s.session != nil {
		g.runWith(s.session)
	}
	if s.watch {
		g.watched()
	}
	return g
}

// quotes matches the quoted parts of a text, each with its count.
var quotes = regexp.MustCompile(`("(?:[^"\\]|\\.)*")(?:\*(\d+))?`)

// read splits a line into its verb and its texts.
func read(line string) (verb, text, more string) {
	verb, line, _ = strings.Cut(line, " ")
	text, more, _ = strings.Cut(line, " => ")
	for _, s := range []*string{&text, &more} {
		if !strings.HasPrefix(*s, `"`) {
			continue
		}
		var b strings.Builder
		for _, part := range quotes.FindAllStringSubmatch(*s, -1) {
			one, _ := strconv.Unquote(part[1])
			n, _ := strconv.Atoi(part[2])
			b.WriteString(strings.Repeat(one, max(n, 1)))
		}
		*s = b.String()
	}
	return verb, text, more
}

// prepare reads a line that describes the rig, and returns false for other lines.
func (s *story) prepare(line string) bool {
	switch verb, text, more := read(line); verb {
	case "screen":
		s.screens = []string{text + "x" + more}
	case "vault":
		s.archive += map[string]string{"older": older, "long": long, "heap": heap}[text]
	case "rig":
		s.make = storyRigs()[text]
	case "options":
		s.options = storyOptions[text]
	case "session":
		s.session = storySessions[text]
	case "screens":
		s.screens = strings.Fields(text)
	case "watched":
		s.watch = true
	default:
		one, says := replyOf(verb, text, more)
		s.replies = append(s.replies, one)
		return says
	}
	return true
}

func number(text string) int {
	n, _ := strconv.Atoi(text)
	return n
}

// replyOf returns the reply of the model that a line describes, and false for other lines.
func replyOf(verb, text, more string) (r chaintest.Reply, says bool) {
	switch verb {
	case "reply":
		return reply(text), true
	case "slow":
		return slow(text), true
	case "late":
		d, _ := time.ParseDuration(text)
		return chaintest.Reply{Delay: d, Text: more}, true
	case "counting":
		return counting(text, number(more)), true
	case "model":
		return r, json.Unmarshal([]byte(text), &r) == nil
	}
	return r, false
}

// play runs the action or the check of a line.
func (s *story) play(line string) {
	r := s.robot
	switch verb, text, more := read(line); verb {
	case "press":
		for key := range strings.FieldsSeq(text) {
			name, times, _ := strings.Cut(key, "*")
			for range max(number(times), 1) {
				r.Press(name)
			}
		}
	case "type":
		r.Type(text)
	case "keys":
		typeKeys(r, text)
	case "paste":
		r.Paste(text)
	case "enter", "ask":
		r.Ask(text, more)
	case "begin":
		r.Begin(text, more)
	case "look":
		look(r, text, more)
	case "propose":
		propose(r)
	case "click":
		r.Click(r.Find(text))
	case "drag":
		drag(s.T, r, text, more)
	case "resize":
		r.Resize(number(text), number(more))
	case "wait":
		r.WaitFor(text)
	case "pass":
		d, _ := time.ParseDuration(text)
		r.Pass(d)
	case "write":
		vaulttest.Write(s.T, s.vault, vault.Path(text), more)
	case "changed":
		var b vault.Batch
		for name := range strings.SplitSeq(text, ", ") {
			b.Paths = append(b.Paths, vault.Path(name))
		}
		s.batch <- b
	case "remove":
		check(s, os.Remove(filepath.Join(s.dir, text)))
	case "workspace":
		age, _ := time.ParseDuration(more)
		s.workspace(workspaceOf(text), age)
	case "killed":
		s.robot = killProcess(&stage{s.T, r, s.rig}).Robot
	case "quit":
		s.robot = quit(&stage{s.T, r, s.rig}).Robot
	case "close":
		r.Close()
	case "prompts":
		writePrompts(s.T, s.rig)
	default:
		if one, says := replyOf(verb, text, more); says {
			s.model.Add(one)
		} else if !s.checkLine(verb, text, more) {
			s.Fatalf("%q, and the screen:\n%s", line, r.Screen())
		}
	}
}

// checkLine reports whether the check of a line is true.
func (s *story) checkLine(verb, text, more string) bool {
	switch verb {
	case "want":
		return s.robot.Has(text)
	case "not":
		return !s.robot.Has(text)
	case "has":
		return strings.Contains(s.textAt(text), more)
	case "lacks":
		return !strings.Contains(s.textAt(text), more)
	case "is":
		return s.textAt(text) == more
	case "begins":
		return strings.HasPrefix(s.textAt(text), more)
	case "once":
		return strings.Count(s.textAt(text), more) == 1
	case "requests":
		return len(s.model.Requests()) == number(text)
	case "chats":
		all, err := s.store.List(s.Context())
		return err == nil && len(all) == number(text)
	case "quits":
		return s.robot.Quit()
	case "typing":
		x, _ := s.robot.Cursor()
		return x >= 0
	case "reading":
		x, _ := s.robot.Cursor()
		return x < 0
	case "free":
		return takes(s.T, elsewhere(s.T, s.rig), text)
	case "golden":
		golden.RequireEqual(s.T, s.robot.Screen())
		return true
	}
	return false
}

// textAt returns the text at a place.
func (s *story) textAt(place string) string {
	kind, name, _ := strings.Cut(place, ":")
	switch kind {
	case "chat":
		return s.chatText("")
	case "visible":
		return s.visible()
	case "screen":
		return s.robot.Screen()
	case "clipboard":
		return s.robot.Clipboard()
	case "note":
		return s.note(name)
	case "sent":
		all := s.model.Requests()
		if name != "" {
			all = all[:number(name)+1]
		}
		messages := all[len(all)-1].Messages
		return messages[len(messages)-1].Content
	case "chats":
		return s.chatText(name)
	}
	s.Fatalf("there is no place %q", place)
	return ""
}
