package ui

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"charm.land/bubbles/v2/viewport"
	tea "charm.land/bubbletea/v2"

	"ibid/chains"
	"ibid/chains/desk"
	"ibid/context/prompt"
	"ibid/ui/keys"
	"ibid/ui/mdview"
	"ibid/ui/picker"
	"ibid/ui/term"
	"ibid/ui/theme"
	"ibid/ui/transcript"
	"ibid/vault"
	"ibid/vault/md"
	"ibid/vault/state"
)

// linkList lists the notes and pages that a message is about.
type linkList struct {
	k     *known
	links []picker.Item // their ids are what a wikilink says
}

// linksOf is the notes that a message cites as sources, by their numbers, then those
// that went with it, then those that it links to; each section once.
func linksOf(v *vault.Vault, msg *transcript.Message) (links []picker.Item) {
	seen := map[string]bool{}
	add := func(link, label, meta string) {
		same := link
		if isPage(link) {
			meta = "page"
		} else if _, query := prompt.QueryNote(link); query {
			meta = "result"
		} else if f := v.Resolve(link, ""); f.Path != "" {
			same = string(f.Path) + "#" + f.Subpath
		} else if v.Find(link).Path == "" {
			meta = "no such note"
		}
		if same = strings.ToLower(same); !seen[same] {
			seen[same] = true
			links = append(links, picker.Item{ID: link, Label: label, Meta: meta})
		}
	}
	for i, link := range targetsOf(msg.Text) {
		add(link, fmt.Sprintf("[%d] %s", i+1, link), "source")
	}
	for _, c := range msg.Chips {
		if c.Link != "" {
			add(c.Link, c.Label, "went with it")
		}
	}
	for _, link := range md.Wikilinks(msg.Text) {
		add(link, link, "")
	}
	return links
}

// targetsOf is what the sources of a reply as it is shown are, in the order of their
// numbers.
func targetsOf(drawn string) (targets []string) {
	for _, source := range chains.SourcesOf(drawn) {
		targets = append(targets, linkIn(source))
	}
	return targets
}

// sourceAt is the source that the selected reply, or else the last one, shows under
// the number of a footnote such as "^3". Without one the number is that of the file.
func sourceAt(t *transcript.Transcript, footnote string) (link string, ok bool) {
	number, ok := strings.CutPrefix(strings.Trim(footnote, "[]"), "^")
	msg, _ := t.Selected()
	n, err := strconv.Atoi(number)
	sources := targetsOf(msg.Text)
	if !ok || err != nil || n < 1 || n > len(sources) {
		return "", false
	}
	return sources[n-1], true
}

// linkIn is what a wikilink says that leads where a link in markdown does.
func linkIn(link string) string {
	if inner, n := md.Wikilink(link); n == len(link) && inner != "" {
		target, _ := md.Target(inner)
		return target
	}
	at := strings.LastIndex(link, "](")
	if at < 0 {
		return link
	}
	address := strings.TrimSuffix(link[at+2:], ")")
	if isPage(address) {
		return address
	}
	if path, err := url.PathUnescape(address); err == nil {
		return path
	}
	return address
}

func (l linkList) options() picker.Options {
	title := "Notes of this message"
	if slices.ContainsFunc(l.links, func(it picker.Item) bool { return isPage(it.ID) }) {
		title = "Notes and pages of this message"
	}
	return picker.Options{Title: title, Page: true, Choose: "read"}
}

func (l linkList) rows(string) listing {
	return listing{Rows: picker.Rows{Items: l.links}}
}

func (l linkList) actions() []action {
	v := l.k.opt.Vault
	acts := []action{
		{key: keys.Bind("enter", "read"), does: func(r row) intent {
			if _, query := prompt.QueryNote(r.id); query {
				return atDesk{readQuery{r.id}}
			}
			return compute{readLink(v, r.id)}
		}},
		{key: keys.Bind("+", "attach"), does: func(r row) intent { return attachLink(noteIn(r.id)) }},
	}
	open := func(note func(link string) intent) func(row) intent {
		return func(r row) intent {
			if isPage(r.id) {
				return compute{func(context.Context) tea.Msg { return showPage(r.id) }}
			}
			return note(noteIn(r.id))
		}
	}
	if len(l.k.opt.Editor) > 0 {
		acts = append(acts, action{key: keys.Bind("o ctrl+o", "open in $EDITOR"), does: open(func(link string) intent { return atDesk{followLink{v, link}} })})
	}
	return append(acts, action{key: keys.Bind("O alt+o", "open in Obsidian"), does: open(func(link string) intent {
		return showInObsidian{link}
	})}, action{key: keys.Bind("y ctrl+y", "copy"), does: func(r row) intent {
		text := noteIn(r.id)
		if !isPage(text) {
			text = "[[" + text + "]]"
		}
		return copyText{text, text}
	}})
}

// addLink is the command that attaches what a link leads to.
func addLink(link string) command { return command{line: `/add "` + link + `"`} }

// attachLink attaches what a link leads to.
func attachLink(link string) intent {
	return steps{doClosePage, doFocusPrompt, atDesk{addLink(link)}}
}

// linksPage is the list of links, and over it the section that one of them leads to
// while that is read.
type linksPage struct {
	*list
	section sectionMsg // its link is "" while the list is shown
	lines   viewport.Model
	w, h    int
}

// sectionMsg brings the text that a link leads to.
type sectionMsg struct {
	link, place, text string
	markdown          bool // it is shown as the markdown that it is, not as it is written
}

// noteIn is a link, or the note whose query it names.
func noteIn(link string) string {
	note, _ := prompt.QueryNote(link)
	return note
}

// readQuery shows what a query of a note finds now.
type readQuery struct{ id string }

func (j readQuery) run(ctx context.Context, d *desk.Desk) (tea.Msg, error) {
	ref := prompt.Ref{Kind: prompt.Query, ID: j.id}
	it, err := desk.Read(ctx, d, ref)
	if err != nil {
		return nil, err
	}
	return sectionMsg{refLabel(ref), it.Path + ", as it is now", it.Content, true}, nil
}

func newLinksPage(k *known, links []picker.Item) *linksPage {
	return &linksPage{list: newList(k, linkList{k, links}, ""), lines: viewport.New()}
}

// Update acts on a message.
func (p *linksPage) Update(msg tea.Msg) (intent, bool) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		p.w, p.h = msg.Width, msg.Height
		p.write()
	case refreshMsg:
		p.write()
	case sectionMsg:
		p.section = msg
		p.write()
		p.lines.GotoTop()
		return nil, true
	case tea.MouseWheelMsg:
		if p.section.link != "" {
			return p.read(arrow(msg)), true
		}
	case tea.MouseClickMsg:
		if p.section.link != "" {
			return nil, true
		}
	case tea.KeyPressMsg:
		if p.section.link != "" {
			return p.read(msg), true
		}
	}
	return p.list.Update(msg)
}

// read acts on a key while a section is shown: it scrolls, goes back, or does with
// the link what the list does.
func (p *linksPage) read(msg tea.KeyPressMsg) intent {
	name, page := msg.String(), isPage(p.section.link)
	if page && (name == "o" || name == "O") {
		opener, address := p.k.opt.Opener, p.section.link
		return compute{func(context.Context) tea.Msg { return openAddress(opener, address, "opening "+address) }}
	}
	switch name {
	case "esc", "q", "enter":
		if l, ok := p.source.(linkList); ok && len(l.links) < 2 { // there is no other to choose
			return doClosePage
		}
		p.section = sectionMsg{}
	case "+", "o", "O", "y":
		i, _ := p.list.Update(msg)
		return i
	default:
		scrollLines(&p.lines, msg)
	}
	return nil
}

// write lays the section out.
func (p *linksPage) write() {
	p.lines.SetWidth(p.w)
	p.lines.SetHeight(max(p.h-4, 1))
	if p.section.markdown {
		view := mdview.New(mdview.NewRenderer(*p.k.Theme), mdview.Options{Width: max(p.w-2, 8)})
		view.Append(p.section.text)
		view.Finish()
		var lines []string
		for _, line := range view.Lines() {
			lines = append(lines, " "+line)
		}
		p.lines.SetContentLines(lines)
		return
	}
	p.lines.SetContentLines(p.k.Theme.Hanging(p.k.Theme.Styles.Text, " ", p.section.text, max(p.w-2, 8)))
}

// View is the list, or the section between a title and a footer.
func (p *linksPage) View(w, h int) []string {
	if p.section.link == "" {
		return p.list.View(w, h)
	}
	pen, st := newPen(p.k.Theme, w), &p.k.Theme.Styles
	rows := []string{pen.bar(st.Title.Render(theme.OneLine(p.section.link)), st.Muted.Render(theme.OneLine(p.section.place))), pen.rule()}
	hints := []keys.Hint{{Key: "esc", Does: "back"}, {Key: "+", Does: "attach"}, {Key: "o", Does: "$EDITOR"}, {Key: "O", Does: "Obsidian"}, {Key: "↑↓", Does: "scroll"}}
	if isPage(p.section.link) {
		hints = []keys.Hint{{Key: "esc", Does: "back"}, {Key: "o", Does: "open in the browser"}, {Key: "y", Does: "copy"}, {Key: "+", Does: "attach"}}
	}
	return pen.scrolled(rows, &p.lines, pen.keyRow(hints, w-10))
}

// Cursor is nowhere while a section is read.
func (p *linksPage) Cursor() *tea.Cursor {
	if p.section.link == "" {
		return p.list.Cursor()
	}
	return nil
}

// target is the note that a link leads to, and the lines of what the link names in it,
// the whole note if it names nothing.
func target(v *vault.Vault, link string) (found vault.Found, text vault.Text, from, to int, err error) {
	found = v.Resolve(link, "")
	if found.Path == "" {
		found = v.Find(link)
	}
	if found.Path == "" {
		return found, text, 0, 0, fmt.Errorf("[[%s]]: there is no such note", link)
	}
	text, err = v.Read(found.Path)
	if err == nil && found.Subpath != "" {
		from, to, _ = text.Section(found.Subpath)
	}
	return found, text, from, to, err
}

// readLink reads what a link leads to.
func readLink(v *vault.Vault, link string) term.Work {
	return func(context.Context) tea.Msg {
		if isPage(link) {
			return showPage(link)
		}
		found, text, from, to, err := target(v, link)
		if err != nil {
			return say{err.Error(), true}
		}
		text.Content = md.BlankHidden(text.Content)
		shown, place := text.Content, string(found.Path)
		if from > 0 {
			shown, place = text.Lines(from, to), fmt.Sprintf("%s:%d-%d", found.Path, from, to)
		}
		return sectionMsg{link, place, strings.TrimRight(shown, "\n"), false}
	}
}

// followLink finds the note that a link leads to, and the line of the section that
// it names, to be edited.
type followLink struct {
	vault  *vault.Vault
	target string
}

func (j followLink) run(context.Context, *desk.Desk) (tea.Msg, error) {
	found, _, line, _, err := target(j.vault, j.target)
	if found.Path == "" {
		return nil, err
	}
	return editFile{found.Path, line, state.Wikilink}, nil
}
