package history_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"
	"github.com/rogpeppe/go-internal/txtar"

	"ibid/context/prompt"
	"ibid/history"
	"ibid/vault"
	"ibid/vault/vaulttest"
)

// TestScenarios plays what windows do with chats, and what others do with their files.
// The comment of each archive in testdata/store is a line for each thing that is done,
// see [world.do]; its files are the vault. The golden file has the lines, and what each
// prints. Texts are quoted as in Go where they have spaces; @c is the path of the chat
// c, $VAULT the folder.
func TestScenarios(t *testing.T) {
	names, err := filepath.Glob("testdata/store/*.txtar")
	check(t, err)
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			ar, err := txtar.ParseFile(name)
			check(t, err)
			w := &world{T: t, ar: ar}
			w.fresh()
			for line := range strings.Lines(string(ar.Comment)) {
				w.out.WriteString(line)
				if line != "\n" && line[0] != '#' {
					w.play(line)
				}
			}
			golden.RequireEqual(t, []byte(w.out.String()))
		})
	}
}

// world is a vault and who works in it.
type world struct {
	*testing.T
	ar      *txtar.Archive
	v       *vault.Vault
	state   string
	windows map[string]*history.Store
	s       *history.Store // of the window that acts
	chats   map[string]*history.Chat
	merge   history.MergeResult
	trashed vault.Path
	out     strings.Builder
}

// fresh begins anew, in window "one".
func (w *world) fresh() {
	w.v, w.state = vaulttest.New(w, string(txtar.Format(&txtar.Archive{Files: w.ar.Files}))), w.TempDir()
	w.windows, w.chats = map[string]*history.Store{}, map[string]*history.Chat{}
	w.window("one", history.Options{})
}

func (w *world) window(name string, opts history.Options) {
	if w.s = w.windows[name]; w.s != nil {
		return
	}
	if opts.StateDir = w.state; strings.HasPrefix(name, "bare") {
		opts.StateDir = ""
	}
	if strings.HasPrefix(name, "later") {
		opts.Now = func() time.Time { return time.Now().Add(5 * time.Minute) }
	}
	w.s = store(w, w.v, opts)
	w.windows[name] = w.s
}

var argument = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|\S+`)

func (w *world) play(line string) {
	args := argument.FindAllString(line, -1)
	for i, a := range args {
		if text, err := strconv.Unquote(a); err == nil {
			a = text
		}
		if c := w.chats[strings.TrimPrefix(a, "@")]; c != nil && a[0] == '@' {
			a = string(c.Path)
		}
		args[i] = strings.ReplaceAll(a, "$VAULT", w.v.Dir())
	}
	printed, err := w.do(args[0], append(args[1:], "", "", ""), len(args)-1)
	if err != nil {
		text := "! " + err.Error()
		if code := syscall.Errno(0); errors.As(err, &code) {
			text = strings.ReplaceAll(text, code.Error(), "no such file")
		}
		printed = append(printed, text)
	}
	for _, p := range printed {
		if text := strings.TrimRight(fmt.Sprint(p), "\n"); text != "" {
			w.out.WriteString("  " + strings.NewReplacer(w.v.Dir(), "$VAULT", "\r", `\r`, "\n", "\n  ").Replace(text) + "\n")
		}
	}
}

// do runs one event and returns its output.
func (w *world) do(verb string, a []string, n int) (out []any, err error) {
	p, c := vault.Path(a[0]), w.chats[a[0]]
	print := func(what ...any) { out = append(out, what...) }
	warn := func(warnings []history.Warning) {
		for _, one := range warnings {
			print(one.Kind + ": " + one.Text)
		}
	}
	message := func() *history.Message {
		i, err := strconv.Atoi(a[1])
		check(w, err)
		for len(c.Messages) <= i {
			c.Messages = append(c.Messages, talk(make([]string, len(c.Messages)+1)...).Messages[len(c.Messages)])
		}
		return &c.Messages[i]
	}
	var warnings []history.Warning
	switch verb {
	case "fresh":
		w.fresh()
	case "in":
		w.window(a[0], history.Options{})
	case "folder":
		var s *history.Store
		if s, err = history.NewStore(w.v, history.Options{Folder: p}); err == nil {
			w.s = s
			print(s.Folder())
		}
	case "close":
		err = w.s.Close()

	// Chats: what a window has of them.
	case "new":
		made := talk(a[1:n]...)
		w.chats[a[0]] = &made
	case "say":
		message().Text = a[2]
	case "status":
		message().Status = history.Status(a[2])
	case "note":
		c.Messages[len(c.Messages)-1].Notes = a[1:2]
	case "attach":
		m := message()
		m.Context.Notes, m.Meta.Items = a[2:n], []history.Item{
			{Ref: prompt.Ref{Kind: prompt.Note, ID: a[2]}, Revision: "0123456789abcdef"},
		}
	case "select":
		message().Context.Selections = a[2:n]
	case "set":
		for _, field := range a[1:n] {
			switch name, value, _ := strings.Cut(field, "="); name {
			case "title":
				c.Title = value
			case "layout":
				c.Layout = value
			case "project":
				c.Project = value
			case "model":
				c.Model = value
			case "tag":
				c.Tags = append(c.Tags, value)
			case "mute":
				c.Muted = append(c.Muted, prompt.Ref{Kind: prompt.Note, ID: value})
			case "at":
				c.Messages[0].Time, err = time.Parse(time.RFC3339Nano, value)
			}
		}
	case "spend":
		at, err := time.Parse(time.DateOnly, a[1])
		check(w, err)
		t := history.Total{Model: a[2], Turns: 1}
		_, err = fmt.Sscan(strings.Join(a[3:n], " "), &t.Usage.Prompt, &t.Usage.Cached, &t.Usage.Completion, &t.Usage.Cost)
		check(w, err)
		c.Spend(at, t)
	case "post", "reply":
		next := talk(make([]string, len(c.Messages)+1)...).Messages[len(c.Messages)].Time
		if m := (history.Message{Role: history.User, Text: a[1], Time: next}); verb == "post" {
			c.AddQuestion(m)
		} else {
			m.Role = history.Assistant
			c.Messages = append(c.Messages, m)
		}
	case "again":
		c.Restart(c.LastTurn())
		c.Messages = append(c.Messages, history.Message{
			Role: history.Assistant, Text: a[1], Time: c.Messages[c.LastTurn()].Time.Add(time.Hour),
		})
	case "end":
		i, err := strconv.Atoi(a[1])
		check(w, err)
		print(c.Show(c.LastTurn(), i))
	case "takeback":
		c.TakeBack()
	case "withdraw":
		c.Withdraw([]prompt.Ref{{Kind: prompt.Note, ID: a[1]}})
	case "branch":
		n, err := strconv.Atoi(a[2])
		check(w, err)
		b := history.Branch(w.chats[a[1]], n, noon.Add(time.Hour))
		w.chats[a[0]] = &b
	case "show":
		out = w.show(c)

	// What the store does with them.
	case "save":
		warnings, err = w.s.Save(c)
		print(c.Path)
		warn(warnings)
	case "open", "read":
		var got history.Chat
		if verb == "read" {
			got, warnings, err = w.s.Read(w.Context(), a[1])
		} else {
			got, warnings, err = openNamed(w.s, a[1])
		}
		if warn(warnings); err == nil {
			w.chats[a[0]] = &got
			out = append(out, w.show(&got)...)
		}
	case "release":
		err = w.s.Release(c)
	case "moved":
		to, ok := w.s.Moved(c)
		print(to, ok)
	case "changed":
		var yes bool
		yes, err = w.s.Changed(c)
		print(yes)
	case "rename":
		p, err = w.s.Rename(p, a[1])
		print(p)
	case "pin":
		err = w.s.Pin(p, a[1] != "off")
	case "tag":
		var tags []string
		tags, err = w.s.Tag(p, a[1:n]...)
		print(strings.Join(tags, " "))
	case "archive":
		p, err = w.s.Archive(p, a[1] != "off")
		if print(p); err == nil {
			print(w.s.Archived(p))
		}
	case "delete":
		w.trashed, err = w.s.Delete(p)
		print(w.trashed)
	case "undelete":
		err = w.s.Undelete(w.trashed, p)
	case "restore":
		p, err = w.s.Restore(w.Context(), a[0])
		print(p)
	case "trash":
		var all []history.TrashedChat
		all, err = w.s.ListTrash(w.Context())
		slices.SortFunc(all, func(a, b history.TrashedChat) int { return strings.Compare(string(a.Path), string(b.Path)) })
		for _, t := range all {
			print(fmt.Sprintf("%s from %s: %q", t.Path, t.From, t.Title))
			if since := time.Since(t.Deleted); since > time.Minute && os.PathSeparator == '/' || since < -time.Minute {
				print("deleted long ago")
			}
			if t.Modified.Before(noon) {
				print("changed before noon")
			}
		}
	case "list":
		var all []history.Summary
		all, err = w.s.List(w.Context())
		for _, s := range all {
			print(fmt.Sprintf("%s %d %q turns %d, model %q, chain %q, notes %v, tags %v, pinned %v, from %v, copy of %q: %s",
				s.Path, s.Epoch, s.Title, s.Turns, s.Model, s.Chain, s.Notes, s.Tags, s.Pinned, s.Origin, s.Copy,
				strings.Join(s.Problems, "; ")))
		}
	case "spent":
		var all []history.Spending
		all, err = w.s.Spent(w.Context())
		for _, s := range all {
			print(fmt.Sprintf("%s %d %q %+v", s.Path, s.Epoch, s.Title, s.Total))
		}
	case "copies":
		chat, copies := w.s.Copies(p)
		print(fmt.Sprint(chat, ": ", copies))
	case "plan":
		w.merge, err = w.s.PlanMerge(p, vault.Path(a[1]))
		if err == nil {
			print(w.merge.String())
		}
	case "merge":
		err = w.merge.Do()
	case "stream": // and the process is killed
		j := w.s.Journal(c, c.LastTurn())
		j.Write(a[1])
		err = j.Close(c, false)
		time.Sleep(20 * time.Millisecond) // the clock of files is coarse
	case "sections":
		var all []history.Summary
		if all, err = w.s.List(w.Context()); err != nil || len(all) == 0 {
			all = append(all, history.Summary{})
		}
		var texts []string
		texts, err = w.s.MessageTexts(p, all[0].Unsaved)
		print(fmt.Sprintf("%q", texts))
	case "asked":
		n, err := strconv.Atoi(a[0])
		check(w, err)
		all, err := w.s.Asked(w.Context(), n)
		check(w, err)
		for _, q := range all {
			print(fmt.Sprintf("%s %q", q.Time.UTC().Format(time.DateTime), q.Text))
		}
	case "unsaved", "keep", "drop":
		var all []history.UnsavedChat
		all, err = w.s.Unsaved()
		for _, u := range all {
			switch verb {
			case "keep":
				p, err = w.s.Keep(u)
				print(p)
				if _, again := w.s.Keep(u); again == nil {
					print("kept twice")
				}
			case "drop":
				err = u.Drop()
			default:
				print(fmt.Sprintf("%s %q: %q", u.Path, u.Title, u.Text))
			}
		}
		print(fmt.Sprint(len(lyingAbout(w.T, filepath.Join(w.state, "unsaved"))), " lie there"))

	// Files: what others do.
	case "cat":
		print(onDisk(w, w.v, p))
	case "grep":
		for line := range strings.Lines(onDisk(w, w.v, p)) {
			if strings.Contains(line, a[1]) {
				print(line)
			}
		}
	case "same":
		print(onDisk(w, w.v, p) == onDisk(w, w.v, vault.Path(a[1])))
	case "write":
		vaulttest.Write(w, w.v, p, a[1])
	case "edit":
		file := onDisk(w, w.v, p)
		for i := 1; i < n; i += 2 {
			if !strings.Contains(file, a[i]) {
				w.Fatalf("no %q in\n%s", a[i], file)
			}
			file = strings.ReplaceAll(file, a[i], a[i+1])
		}
		vaulttest.Write(w, w.v, p, file)
	case "add":
		vaulttest.Write(w, w.v, p, onDisk(w, w.v, p)+a[1])
	case "head", "tail": // what stands in front of a text, or from it on
		file := onDisk(w, w.v, p)
		if at := strings.Index(file, a[1]); verb == "head" {
			file = file[:at]
		} else {
			file = a[2] + file[at:]
		}
		vaulttest.Write(w, w.v, p, file)
	case "cp":
		vaulttest.Write(w, w.v, vault.Path(a[1]), onDisk(w, w.v, p))
	case "mv":
		vaulttest.Rename(w, w.v, p, vault.Path(a[1]))
	case "rm":
		vaulttest.Remove(w, w.v, p)
	case "touch":
		after, err := time.ParseDuration(a[1])
		check(w, err)
		name := filepath.Join(w.v.Dir(), filepath.FromSlash(a[0]))
		check(w, os.Chtimes(name, noon.Add(after), noon.Add(after)))
	case "when":
		info, err := w.v.Stat(p)
		check(w, err)
		print(info.ModTime().UTC().Format(time.DateTime))
	case "scan":
		_, err = w.v.Revalidate(w.Context())
	case "links":
		note, _ := w.v.Note(p)
		for l := range note.Links() {
			print(w.v.Resolve(l.Target, p).Path)
		}
	case "resolve":
		now, found := history.Resolve(c, w.v, history.Revisions(w.v))
		for _, r := range found {
			print(fmt.Sprintf("%s is %s %s", r.Ref, r.State, r.Path))
		}
		out = append(out, w.show(&now)...)
	case "locks":
		print(len(lyingAbout(w.T, filepath.Join(w.state, "locks"))))
	default:
		w.Fatalf("unknown verb %q", verb)
	}
	return out, err
}

// show returns the content of a chat, line by line.
func (w *world) show(c *history.Chat) (out []any) {
	head := fmt.Sprintf("%s %d %q model %s", c.Path, c.Epoch, c.Name(), c.Model)
	for i, yes := range []bool{c.Pinned, c.ReadOnly, c.Recovered()} {
		if yes {
			head += []string{" pinned", " read-only", " recovered"}[i]
		}
	}
	out = append(out, head+fmt.Sprintf(" layout %q tags %v muted %v from %d/%d %+v", c.Layout, c.Tags, c.Muted,
		c.Origin.Epoch, c.Origin.Message, c.Totals))
	for i := range c.Messages {
		m := &c.Messages[i]
		line := fmt.Sprintf("%s %s %q", m.Role, m.Time.Format(time.TimeOnly), m.Text)
		for _, more := range []string{string(m.Status), m.Thought, m.Context.Line(), m.After} {
			if more != "" {
				line += fmt.Sprintf(" %q", more)
			}
		}
		if m.Foreign() {
			line += " foreign"
		}
		for _, it := range m.Meta.Items {
			line += " " + it.Ref.ID + "@" + it.Revision
		}
		out = append(out, line)
		for _, note := range m.Notes {
			out = append(out, fmt.Sprintf("assistant_note 00:00:00 %q", note))
		}
		if len(m.Variants) > 1 {
			ends, shown := c.Ends(i)
			out = append(out, showEnds(ends, shown))
		}
	}
	for _, ends := range c.Undone {
		out = append(out, "taken back: "+showEnds(ends, -1))
	}
	return out
}

func showEnds(ends []history.Variant, shown int) string {
	all := make([]string, len(ends))
	for k, v := range ends {
		text, status := v.Reply()
		if all[k] = fmt.Sprintf("%s/%s%s", v.Messages[0].Text, text, status); k == shown {
			all[k] = "*" + all[k]
		}
	}
	return "ends " + strings.Join(all, ", ")
}
