package ui

import (
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"ibid/chains/desk"
	"ibid/ui/browse"
	"ibid/ui/composer"
	"ibid/ui/page"
	"ibid/ui/term"
	"ibid/ui/theme"
)

// starter is a line on the page of an empty chat that can be put into the prompt.
type starter struct {
	key   string // in front of it: a key that chooses it, or the sign of what it is about
	label string // what stands there
	about string // and why
	text  string // for the prompt
}

// starters are the lines of an empty chat: on the first page the questions that there
// are, later what the vault suggests: the note that is open, the one that changed last,
// the last chat.
func starters(k *known) (all []starter) {
	if k.Transcript.Len() > 0 {
		return nil
	}
	if k.opt.FirstRun.New && len(k.Chats.All) == 0 {
		for i, text := range k.opt.FirstRun.Questions {
			all = append(all, starter{k.Keys.NameOf("suggestion-" + strconv.Itoa(i+1)), text, "", text})
		}
		return all
	}
	n := k.Notes.All
	if n == nil || n.Count == 0 {
		return nil
	}
	now, open := k.Now(), k.Desk.Note
	if open.Path != "" {
		about, text := "", "what does "+browse.LinkTo(n.Twins, open.Path, "")+" say?"
		if k.Desk.Goes {
			about, text = open.Path.Base(), "what does this note say?"
		}
		if open.Source != "" {
			about = strings.TrimSpace(about + "   open in " + open.Source)
		}
		all = append(all, starter{k.Theme.Glyphs.Context.Active, text, about, text})
	}
	for _, note := range n.Recent {
		chat := k.opt.Store != nil && note.Path.In(k.opt.Store.Folder()) || string(note.Path) == k.Desk.Chat.Path
		prompt := slices.ContainsFunc(k.Desk.Prompts, func(p desk.Prompt) bool { return p.Path == note.Path })
		if note.Path != open.Path && !chat && !prompt {
			text := "what does " + browse.LinkTo(n.Twins, note.Path, "") + " say?"
			all = append(all, starter{"@", text, "changed " + page.FormatAge(now.Sub(note.ModTime)), text})
			break
		}
	}
	if last := &k.Chats.Last; last.Path != "" {
		all = append(all, starter{"/open", last.Title, "your last chat, " + page.FormatAge(now.Sub(last.Modified)), "/open " + string(last.Path)})
	}
	return all
}

// longStarter bounds the starters in characters.
const longStarter = 300

// chosenStarter is the one that stands in the prompt, -1 for none.
func chosenStarter(all []starter, draft string) int {
	for i := range all {
		if all[i].text == draft {
			return i
		}
	}
	return -1
}

// starterRoom is how many columns a body of w has for what a starter says, and those for
// its key.
func starterRoom(w int) (room, key int) {
	key = 8
	if w < 60 {
		key = 6
	}
	return max(w-key-4-2*min(4, max(w-40, 0)), 1), key
}

// starterRows are the rows of starters, the chosen one marked: brief, each is one row.
func (s *screen) starterRows(all []starter, brief bool) (rows []string) {
	at := chosenStarter(all, composer.Line(s.composer, longStarter))
	room, hints := starterRoom(s.frame.body.w)
	for i, a := range all {
		mark, key, ink := "   ", s.Styles.Accent.Render(a.key), s.Styles.Muted
		if i == at {
			mark, ink = " "+s.Styles.Accent.Render(s.Glyphs.Cursor)+" ", s.Styles.Strong
		}
		label := s.OneLine(a.label)
		texts := theme.Wrap(label, room)
		if brief {
			texts = []string{wholeWords(label, room, s.Glyphs.Ellipsis)}
		}
		for _, text := range texts {
			row := ink.Render(text)
			if about := "   " + s.OneLine(a.about); a.about != "" && term.Width(label+about) <= room {
				row += s.Styles.Muted.Render(about)
			}
			rows = append(rows, mark+key+strings.Repeat(" ", max(hints-term.Width(key), 1))+row)
			mark, key = "   ", ""
		}
	}
	return rows
}

// takeSuggestion is an action that attaches the i-th note that is suggested, counted from
// 0, or where none can be takes the i-th starter.
func takeSuggestion(i int) action {
	return func(m *Model) tea.Cmd {
		if cmd, ok := m.k.TakeSuggestion(i); ok {
			return cmd
		}
		return chooseStarter(i).carryOut(m)
	}
}

// chooseStarter puts the n-th starter into the prompt, which is empty or holds another.
type chooseStarter int

func (i chooseStarter) carryOut(m *Model) tea.Cmd {
	all := starters(&m.k)
	if int(i) < 0 || int(i) >= len(all) || !startable(m, all) {
		return nil
	}
	return m.setDraft(composer.Draft{Text: all[i].text})
}

// startable reports whether the prompt holds nothing that a user wrote.
func startable(m *Model, all []starter) bool {
	return m.composer.Empty() || chosenStarter(all, composer.Line(m.composer, longStarter)) >= 0
}

// stepStarter goes to the next starter or the one before, and reports whether the key
// did that. Up from the first one empties the prompt; in an empty prompt it is the
// prompt's own.
func stepStarter(m *Model, key string) (tea.Cmd, bool) {
	if key != "up" && key != "down" || m.page != nil {
		return nil, false
	}
	all := starters(&m.k)
	if len(all) == 0 || !startable(m, all) {
		return nil, false
	}
	at := chosenStarter(all, composer.Line(m.composer, longStarter))
	switch {
	case key == "down":
		at = min(at+1, len(all)-1)
	case at < 0:
		return nil, false
	default:
		at--
	}
	d := composer.Draft{}
	if at >= 0 {
		d.Text = all[at].text
	}
	return m.setDraft(d), true
}

// pressWelcome is what a click on a row of the page of an empty chat wants, whose body
// has w columns.
func pressWelcome(k *known, row string, w int) page.Request {
	row = ansi.Strip(row)
	room, _ := starterRoom(w)
	for i, a := range starters(k) {
		for _, text := range theme.Wrap(k.Theme.Parted(theme.OneLine(a.label)), room) {
			if strings.Contains(row, " "+theme.StripMarks(text)) {
				return page.Post{Msg: chooseStarter(i)}
			}
		}
	}
	if !k.opt.FirstRun.New {
		return nil
	}
	for name, wants := range map[string]page.Request{
		"Vault ": page.Open{ID: page.Vaults}, "Provider ": page.Open{ID: page.Providers}, "Model ": page.Open{ID: page.Models},
		"Chain ": page.Run{Line: "/chain next"}, "Chats in ": page.Open{ID: page.Settings, Arg: "chats.folder"},
	} {
		if strings.HasPrefix(strings.TrimSpace(row), name) {
			return wants
		}
	}
	return nil
}
