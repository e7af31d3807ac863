package browse

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"
	"ibid/context/prompt"
	"ibid/ui/chatview"
	"ibid/ui/mdview"
	"ibid/ui/page"
	"ibid/ui/picker"
	"ibid/ui/term"
	"ibid/ui/transcript"
	"ibid/vault"
	"ibid/vault/legible"
	"ibid/vault/md"
	"ibid/vault/state"
)

// linkList lists the notes and pages that a message links to.
type linkList struct {
	*Catalog
	links []picker.Item // their ids are link targets
	page  *page.List
}

// linksOf returns the links of a message: its cited sources by number, then its attachments, then the
// links in its text; each section once.
func linksOf(v *vault.Vault, msg *transcript.Message) (links []picker.Item) {
	seen := map[string]bool{}
	add := func(link, label, meta string) {
		same := link
		if term.IsPage(link) {
			meta = "page"
		} else if _, query := prompt.QueryNote(link); query {
			meta = "result"
		} else if f := follow(v, link); f.Path != "" {
			same = string(f.Path) + "#" + f.Subpath
		} else {
			meta = "no such note"
		}
		if same = strings.ToLower(same); !seen[same] {
			seen[same] = true
			links = append(links, picker.Item{ID: link, Label: label, Meta: meta})
		}
	}
	for i, link := range msg.Sources {
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

// SourceAt returns the source with the number of a footnote such as "^3", as the reply shows it. It
// reports false if there is none: then the number counts in the file.
func SourceAt(msg *transcript.Message, footnote string) (link string, ok bool) {
	number, ok := strings.CutPrefix(strings.Trim(footnote, "[]"), "^")
	n, err := strconv.Atoi(number)
	sources := msg.Sources
	if !ok || err != nil || n < 1 || n > len(sources) {
		return "", false
	}
	return sources[n-1], true
}

func (l *linkList) Options() picker.Options {
	title := "Notes of this message"
	if slices.ContainsFunc(l.links, func(it picker.Item) bool { return term.IsPage(it.ID) }) {
		title = "Notes and pages of this message"
	}
	return picker.Options{Title: title, Fixed: true}
}

func (l *linkList) Rows(string) page.Listing {
	return page.Listing{Rows: picker.Rows{Items: l.links}}
}

func (l *linkList) Actions() []page.Action {
	v := l.Vault
	acts := []page.Action{
		page.On("enter", "read", func(r page.Row) page.Request {
			if _, query := prompt.QueryNote(r.ID); query {
				return post(chatview.ReadQuery(r.ID, func(label, place, text string) tea.Msg {
					return Section{Link: label, Place: place, Text: text, Source: text}
				}))
			}
			return page.Do{Work: readLink(v, r.ID)}
		}),
		page.On("+", "attach", func(r page.Row) page.Request { return l.attachLink(noteIn(r.ID)) }),
	}
	open := func(note func(link string) page.Request) func(page.Row) page.Request {
		return func(r page.Row) page.Request {
			if term.IsPage(r.ID) {
				return page.Do{Work: func(context.Context) tea.Msg { return showPage(r.ID) }}
			}
			return note(noteIn(r.ID))
		}
	}
	if l.Edits {
		acts = append(acts, page.On("o ctrl+o", "open in $EDITOR", open(func(link string) page.Request {
			return page.Do{Work: followLink(v, link)}
		})))
	}
	return append(acts, page.On("O alt+o", "open in Obsidian", open(func(link string) page.Request {
		return l.showIn(link)
	})), page.On("y ctrl+y", "copy", func(r page.Row) page.Request {
		text := noteIn(r.ID)
		if !term.IsPage(text) {
			text = "[[" + text + "]]"
		}
		return page.Copy{Text: text, What: text}
	}))
}

// AddLink returns the command that attaches the target of a link, by the path that it has now.
func AddLink(v *vault.Vault, link string) string {
	found := follow(v, link)
	if found.Path != "" {
		link = "/" + string(found.Path)
	}
	if found.Path != "" && found.Subpath != "" {
		link += "#" + found.Subpath
	}
	return `/add "` + link + `"`
}

// attachLink attaches the target of a link.
func (l *linkList) attachLink(link string) page.Request {
	return page.CloseThen(page.Act("to-prompt"), page.Run{Line: AddLink(l.Vault, link)})
}

// Section is the text that a link leads to.
type Section struct {
	Link, Place, Text string
	Source            string // markdown of which Text is the readable form, "" to show Text as it is
	From, To          int    // byte range in Text of the passage that the link names, 0 for all of it
}

// noteIn returns a link, or for the link of a query its note.
func noteIn(link string) string {
	note, _ := prompt.QueryNote(link)
	return note
}

// OpenLinks opens the list of the links of a message. With a link, it shows its target without a list.
func (c *Catalog) OpenLinks(link string, msg *transcript.Message) page.Request {
	if link != "" {
		return page.Steps{
			page.Show{Page: newLinkPage(c, []picker.Item{{ID: link, Label: link}})},
			page.Do{Work: readLink(c.Vault, link)},
		}
	}
	links := linksOf(c.Vault, msg)
	if len(links) == 0 {
		return page.Toast{Text: "this message links to no note, and none went with it"}
	}
	return page.Show{Page: newLinkPage(c, links)}
}

func newLinkPage(c *Catalog, links []picker.Item) *page.List {
	l := &linkList{Catalog: c, links: links}
	l.page = page.NewList(c.Env, l, "")
	return l.page
}

// Receive shows the section that was read.
func (l *linkList) Receive(msg tea.Msg) (page.Request, bool) {
	s, ok := msg.(Section)
	if !ok {
		return nil, false
	}
	return page.Show{Page: newSectionPage(l, s)}, true
}

// target returns the note that a link leads to, its text, and the lines of the part that the link
// names, 0 for the whole note.
func target(v *vault.Vault, link string) (found vault.FoundNote, text vault.Text, from, to int, err error) {
	found = follow(v, link)
	if found.Path == "" {
		return found, text, 0, 0, fmt.Errorf("[[%s]]: there is no such note", link)
	}
	text, err = v.Local().Read(found.Path)
	if err == nil && found.Subpath != "" {
		from, to, _ = text.Section(found.Subpath)
	}
	return found, text, from, to, err
}

// readLink returns work that reads the target of a link.
func readLink(v *vault.Vault, link string) term.Work {
	return func(context.Context) tea.Msg {
		if term.IsPage(link) {
			return showPage(link)
		}
		s, err := readSection(v, link)
		if err != nil {
			return page.Complain(err.Error())
		}
		return s
	}
}

// ReadNote returns the readable text of a link's target, see mdview.ReadingText.
func ReadNote(v *vault.Vault, link string) (string, error) {
	s, err := readSection(v, link)
	return s.Text, err
}

// readSection reads the target of a link.
func readSection(v *vault.Vault, link string) (Section, error) {
	found, text, from, to, err := target(v, link)
	if err != nil {
		return Section{}, err
	}
	content, place := legible.Lines(text.Content), string(found.Path)
	if from > 0 {
		place = fmt.Sprintf("%s:%d-%d", found.Path, from, to)
	}
	shown, start, end := mdview.ReadingText(content, from, to, func(link string) string {
		return embeddedNote(v, link)
	})
	return Section{link, place, shown, content, start, end}, nil
}

// embeddedNote returns the text that an embed of a note shows, or the error.
func embeddedNote(v *vault.Vault, link string) string {
	_, text, from, to, err := target(v, link)
	if err != nil {
		return err.Error()
	}
	text.Content = legible.Lines(text.Content)
	if from > 0 {
		return text.Lines(from, to)
	}
	_, rest, _ := md.Frontmatter(text.Content)
	return text.Content[rest:]
}

// followLink returns work that opens the target of a link in the editor, at the line of the section
// that it names.
func followLink(v *vault.Vault, link string) term.Work {
	return func(context.Context) tea.Msg {
		found, _, line, _, err := target(v, link)
		if found.Path == "" {
			return page.Complain(err.Error())
		}
		return page.EditFile{Path: string(found.Path), Line: line, Via: string(state.Wikilink)}
	}
}
