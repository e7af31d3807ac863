package prompt

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"
)

var update = flag.Bool("update", false, "rewrite what the scenarios in testdata expect")

// TestScenarios runs every archive in testdata/scenarios (S0-55, S0-58). The comment of an
// archive is a log of events, one per line. The files are notes and texts, which the log names.
// The last file, "want", has the output of the show lines: requests to the byte. The events:
//
//	layout|l1|model|tools|window N [reserve]|factor F|vision|cache JSON|cold|now RFC3339
//	write PATH TEXT|replace PATH OLD NEW|remove PATH|rename FROM TO|title PATH TEXT|page URL TEXT
//	attach REF…|active PATH|query PATH QUERY RESULT|tool NAME TEXT [key=value…]|guidance TEXT
//	ask TEXT|reply TEXT|fail PARTIAL|cancel|error
//	mute ID|unmute ID|forget ID|refresh|private ID|summary N TEXT|reopen|mark NAME|back NAME
//	show request|last|report|dump|layers
//
// A text is quoted as in Go, the name of a file of the archive, or the rest of
// the line. An attachment holds for the next ask alone.
func TestScenarios(t *testing.T) {
	names, err := filepath.Glob("testdata/scenarios/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatal("no scenarios", err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			ar, err := txtar.ParseFile(name)
			check(t, err)
			last := &ar.Files[len(ar.Files)-1]
			if last.Name != "want" {
				t.Fatal("the last file is not want")
			}
			got := play(t, ar)
			if *update {
				last.Data = []byte(got)
				check(t, os.WriteFile(name, txtar.Format(ar), 0o644))
				return
			}
			is(t, strings.Split(got, "\n"), strings.Split(string(last.Data), "\n"))
		})
	}
}

// stage is the state of a scenario.
type stage struct {
	*testing.T
	ar     *txtar.Archive
	out    strings.Builder
	files  map[string]string
	titles map[string]string
	pages  map[string]string
	hidden map[string]bool
	marks  map[string]Conversation
	c      Conversation
	turn   Turn // of the next ask
	env    Envelope
	brief  []Message // the request for a summary after the last reply
	err    error
}

func play(t *testing.T, ar *txtar.Archive) string {
	s := &stage{
		T: t, ar: ar, files: map[string]string{}, titles: map[string]string{}, pages: map[string]string{},
		hidden: map[string]bool{}, marks: map[string]Conversation{},
	}
	s.turn.Settings.L1 = "Answer from the notes."
	for _, f := range ar.Files {
		if p, ok := strings.CutPrefix(f.Name, "vault/"); ok {
			s.files[p] = string(f.Data)
		}
	}
	for i, line := range strings.Split(string(ar.Comment), "\n") {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		verb, rest, _ := strings.Cut(line, " ")
		if !s.vault(verb, rest) && !s.set(verb, rest) && !s.act(verb, rest) {
			t.Fatalf("line %d: unknown event %q", i+1, verb)
		}
		if s.err != nil && verb != "ask" && verb != "error" {
			t.Fatalf("line %d: %v", i+1, s.err)
		}
	}
	return s.out.String()
}

var argument = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|\S+`)

// args splits the rest of a line; quoted arguments are unquoted.
func (s *stage) args(rest string) []string {
	out := argument.FindAllString(rest, -1)
	for i, a := range out {
		if a[0] == '"' {
			out[i] = s.text(a)
		}
	}
	return out
}

// text returns the text of an argument: a quoted string, a file of the archive, or the words as
// they are.
func (s *stage) text(arg string) string {
	if strings.HasPrefix(arg, `"`) {
		out, err := strconv.Unquote(arg)
		if err != nil {
			s.Fatalf("%s: %v", arg, err)
		}
		return out
	}
	for _, f := range s.ar.Files {
		if f.Name == arg {
			return string(f.Data)
		}
	}
	return arg
}

// vault runs the events that change notes.
func (s *stage) vault(verb, rest string) bool {
	args := s.args(rest)
	switch verb {
	case "write":
		s.files[args[0]] = s.text(args[1])
	case "replace":
		if !strings.Contains(s.files[args[0]], args[1]) {
			s.Fatalf("%s does not hold %q", args[0], args[1])
		}
		s.files[args[0]] = strings.Replace(s.files[args[0]], args[1], args[2], 1)
	case "remove":
		delete(s.files, args[0])
	case "rename":
		s.files[args[1]] = s.files[args[0]]
		delete(s.files, args[0])
	case "title":
		s.titles[args[0]] = args[1]
	case "page":
		s.pages[args[0]] = s.text(args[1])
	case "private":
		s.hidden[args[0]] = true
	default:
		return false
	}
	return true
}

// set runs the events that change the next turns.
func (s *stage) set(verb, rest string) bool {
	args := s.args(rest)
	switch verb {
	case "layout":
		s.turn.Layout = Layout(rest)
	case "l1":
		s.turn.Settings.L1 = s.text(rest)
	case "model":
		s.turn.Settings.Model = rest
	case "window":
		s.turn.Budget.Window, _ = strconv.Atoi(args[0])
		if len(args) > 1 {
			s.turn.Budget.Reserve, _ = strconv.Atoi(args[1])
		}
	case "factor":
		s.turn.Budget.Factor, _ = strconv.ParseFloat(rest, 64)
	case "now":
		s.turn.Now, s.err = time.Parse(time.RFC3339, rest)
	case "vision":
		s.turn.Vision = true
	case "tools":
		s.turn.Settings.Tools = rest
	case "cache": // in JSON
		s.turn.Cache = Cache{}
		s.err = json.Unmarshal([]byte(rest), &s.turn.Cache)
	case "cold":
		s.turn.Cache.Cold = true
	case "attach":
		for _, a := range args {
			s.turn.Attached = append(s.turn.Attached, s.item(a))
		}
	case "active":
		s.turn.Active = args[0]
		s.turn.Attached = append([]Item{s.item(args[0])}, s.turn.Attached...)
	case "query":
		it := NewItem(QueryRef(args[0], args[1]), titleOf(args[0]), args[0], args[2])
		it.Query, it.QueryType = args[1], "dataview"
		s.turn.Attached = append(s.turn.Attached, it)
	case "tool":
		t := ToolResult{Name: args[0], Content: s.text(args[1])}
		for _, a := range args[2:] {
			k, v, _ := strings.Cut(a, "=")
			t.Attributes = append(t.Attributes, [2]string{k, strings.ReplaceAll(v, "_", " ")})
		}
		s.turn.Tools = append(s.turn.Tools, t)
	case "guidance":
		s.turn.Tools[len(s.turn.Tools)-1].Guidance = s.text(rest)
	default:
		return false
	}
	return true
}

// act runs the events of the conversation.
func (s *stage) act(verb, rest string) bool {
	switch verb {
	case "ask":
		s.ask(s.text(rest))
	case "reply":
		s.c = s.env.Commit(s.text(rest), "")
		s.brief, _ = s.env.Summarize(s.text(rest))
	case "summary":
		if s.brief == nil {
			s.Fatal("no summary is wanted")
		}
		s.c = s.c.Summarized(s.text(rest))
	case "fail":
		s.c = s.c.Aside(s.env.question, s.text(rest), nil)
	case "cancel":
	case "error":
		if s.err == nil {
			s.Fatal("there should have been an error")
		}
		fmt.Fprintf(&s.out, "error: %v\n\n", s.err)
		s.err = nil
	case "mute":
		s.c = s.c.Mute(rest, true)
	case "unmute":
		s.c = s.c.Mute(rest, false)
	case "forget":
		s.c = s.c.Forget(rest)
	case "refresh":
		s.c = s.c.Refresh()
	case "reopen":
		s.reopen()
	case "mark":
		s.marks[rest] = s.c
	case "back":
		s.c = s.marks[rest]
	case "show":
		s.show(rest)
	default:
		return false
	}
	return true
}

func titleOf(p string) string { return strings.TrimSuffix(filepath.Base(p), ".md") }

var (
	lineRange   = regexp.MustCompile(`^(.*)#L(\d+)-L(\d+)$`)
	embedded    = regexp.MustCompile(`!\[\[([^\]]+\.png)\]\]`)
	transcluded = regexp.MustCompile(`!\[\[([^\]]+\.md)\]\]`)
	heading     = regexp.MustCompile(`(?m)^#+ .*$`)
)

// item returns the present item of a reference.
func (s *stage) item(id string) Item {
	if strings.HasPrefix(id, "https://") {
		return NewItem(Ref{URL, id}, "", id, s.pages[id])
	}
	path, from, to := id, 0, 0
	if m := lineRange.FindStringSubmatch(id); m != nil {
		path = m[1]
		from, _ = strconv.Atoi(m[2])
		to, _ = strconv.Atoi(m[3])
	}
	if strings.HasSuffix(path, ".png") {
		return NewPicture(path, Image{Name: path, MIME: "image/png", Data: []byte(s.files[path])})
	}
	path, section, _ := strings.Cut(path, "#")
	text, ok := s.files[path]
	if !ok {
		s.Fatalf("%s is attached and not there", path)
	}
	title := titleOf(path)
	if t, ok := s.titles[path]; ok {
		title = t
	}
	if from > 0 {
		lines := strings.Split(text, "\n")
		it := NewItem(Lines(path, from, to), title, path, strings.Join(lines[from-1:min(to, len(lines))], "\n"))
		it.StartLine, it.EndLine = from, to
		return it.Embed(s.embeds(it.Content))
	}
	if section != "" {
		at := strings.Index(text, "# "+section+"\n")
		part, _, _ := strings.Cut(text[at+2:], "\n# ")
		it := NewItem(Ref{Selection, id}, title, path, "# "+part)
		it.StartLine = strings.Count(text[:at], "\n") + 1
		it.EndLine = it.StartLine + strings.Count(it.Content, "\n")
		return it
	}
	it := NewItem(Ref{Note, path}, title, path, text)
	it.Outline = strings.Join(heading.FindAllString(text, -1), "\n")
	for _, m := range embedded.FindAllStringSubmatch(text, -1) {
		it.HasImages = true
		it.Images = append(it.Images, Image{Name: m[1], MIME: "image/png", Data: []byte(m[1])})
	}
	return it.Embed(s.embeds(text))
}

// embeds returns the notes that a text embeds, with whole paths.
func (s *stage) embeds(text string) (parts []EmbeddedText) {
	for _, m := range transcluded.FindAllStringSubmatch(text, -1) {
		if note, ok := s.files[m[1]]; ok && !s.hidden[m[1]] {
			parts = append(parts, EmbeddedText{Path: m[1], Content: note})
		}
	}
	return parts
}

func (s *stage) ask(text string) {
	t := s.turn
	t.Text, t.Current = text, map[string]Current{}
	for _, k := range s.c.Known() {
		path, _, _ := strings.Cut(k.ID, "#")
		if k.Kind != Note && k.Kind != Selection && k.Kind != Picture {
			continue
		}
		if s.hidden[path] {
			t.Current[k.ID] = Current{State: Private}
		} else if _, ok := s.files[path]; ok {
			if now := s.item(k.ID); now.Revision != k.Revision {
				t.Current[k.ID] = Current{State: Changed, Item: now}
				if slices.ContainsFunc(k.Embedded, func(e EmbeddedText) bool { return s.hidden[e.Path] }) {
					t.Current[k.ID] = Current{State: Withdrawn, Item: now}
				}
			}
		} else if to := s.elsewhere(k); to != "" {
			t.Moves = append(t.Moves, Move{From: k.Ref, To: s.item(to)})
		} else {
			t.Current[k.ID] = Current{State: Deleted}
		}
	}
	t.Context = contextLine(t)
	s.env, s.err = s.c.Prepare(t)
	if s.err == nil && s.env.Break != nil {
		s.Errorf("turn %d: the prefix broke without a cause: %+v", s.env.Turn, *s.env.Break)
	}
	if s.err == nil {
		for _, e := range read(s.env.Messages()).errs {
			s.Errorf("turn %d, the reader: %s", s.env.Turn, e)
		}
	}
	s.turn.Attached, s.turn.Active, s.turn.Tools, s.turn.Cache.Cold = nil, "", nil, false
}

// contextLine returns the context line of a turn.
func contextLine(t Turn) string {
	var notes []string
	active := ""
	for _, it := range t.Attached {
		if it.ID == t.Active {
			active = "Active: " + it.ID
		} else if it.Kind == Note && !slices.Contains(notes, it.ID) {
			notes = append(notes, it.ID)
		}
	}
	parts := []string{"Notes: " + strings.Join(notes, ", "), active}
	if len(notes) == 0 {
		parts[0] = ""
	}
	if parts = slices.DeleteFunc(parts, func(p string) bool { return p == "" }); len(parts) == 0 {
		return ""
	}
	return "[Context: " + strings.Join(parts, " | ") + "]"
}

func (s *stage) elsewhere(k Item) string {
	for p, text := range s.files {
		if CanonicalText(text) == k.Content {
			return p
		}
	}
	return ""
}

// reopen saves the chat and opens it again, with the displayed texts, the references, and the
// present notes.
func (s *stage) reopen() {
	var past []Past
	cited := s.c.cited.all()
	for i, w := range s.c.plain.all() {
		past = append(past,
			Past{w.Role, w.Content, strings.TrimSuffix(strings.TrimSuffix(cited[i].Content, w.Content), "\n")})
	}
	var items []RecalledItem
	for i, k := range s.c.Known() {
		now := k
		if k.Kind == Note || k.Kind == Selection {
			path, _, _ := strings.Cut(k.ID, "#")
			if _, ok := s.files[path]; !ok {
				continue
			}
			now = s.item(k.ID)
		}
		e := s.c.known[i]
		items = append(items,
			RecalledItem{
				Item: now, Since: e.since, Used: e.used, Times: e.times, Muted: s.c.muted[k.ID],
				Changed: now.Revision != k.Revision,
			})
	}
	s.c = Reopen(past, items, s.c.Notes(), nil)
}

// show prints the last request, or a report about it.
func (s *stage) show(what string) {
	e := s.env
	fmt.Fprintf(&s.out, "=== turn %d, %s: epoch %d (%s)", e.Turn, e.Layout, e.Epoch.N, e.Epoch.Cause)
	if e.Epoch.New {
		s.out.WriteString(", new")
	}
	s.out.WriteString(" ===\n")
	switch what {
	case "request":
		s.messages(e.Messages())
	case "last":
		m := e.Messages()
		s.messages(m[len(m)-1:])
	case "brief":
		s.messages(s.brief[min(len(s.brief), len(e.Messages())):])
	case "dump":
		s.out.WriteString(e.Dump() + "\n")
	case "layers":
		for _, l := range e.Layers {
			fmt.Fprintf(&s.out, "%-5s %6d tokens, %d cached, %s\n", l.ID, l.Tokens, l.Cached, l.SHA256[:16])
			for _, seg := range l.Segments {
				fmt.Fprintf(&s.out, "      %-9s %s\n", seg.Kind, seg.ID)
			}
		}
	case "report":
		s.report(e)
	default:
		s.Fatalf("cannot show %q", what)
	}
	s.out.WriteString("\n")
}

func (s *stage) messages(all []Message) {
	for _, m := range all {
		fmt.Fprintf(&s.out, "--- %s, %d bytes", m.Role, len(m.Content))
		if marks := marksIn(m); m.Role == System && len(marks) > 0 {
			fmt.Fprintf(&s.out, ", marks at %v", marks)
		}
		for _, im := range m.Images {
			s.out.WriteString(", image " + im.Name)
		}
		s.out.WriteString(" ---\n" + m.Content + "\n")
	}
}

// marksIn returns the places of cache marks in a message's text.
func marksIn(m Message) (at []int) {
	for _, p := range m.Parts {
		if p.Mark && p.End < len(m.Content) {
			at = append(at, p.End)
		}
	}
	return at
}

func (s *stage) report(e Envelope) {
	for _, l := range e.Library {
		fmt.Fprintf(&s.out, "known     %-10s %-8s since %d, used %d, %d times: %s\n", l.Place, l.State, l.Since,
			l.Used, l.Times, l.Ref)
	}
	for _, a := range e.Attached {
		fmt.Fprintf(&s.out, "attached  %-8s %d tokens: %s\n", a.State, a.Tokens, a.Ref)
	}
	for _, n := range e.NotSent {
		fmt.Fprintf(&s.out, "not sent  %s: %s\n", n.ID, n.Reason)
	}
	for _, c := range e.Shortened {
		fmt.Fprintf(&s.out, "shortened %s: %s, %d tokens\n", c.What, c.How, c.Tokens)
	}
	if len(e.Images) > 0 {
		fmt.Fprintf(&s.out, "images    %s\n", strings.Join(slices.Clone(e.Images), ", "))
	}
	fmt.Fprintf(&s.out, "predicted %d tokens, %d cached, %d bytes as before\n", e.Predicted.Prompt,
		e.Predicted.Cached, e.Predicted.Bytes)
}
