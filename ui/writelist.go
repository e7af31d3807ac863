package ui

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"ibid/chains"
	"ibid/chains/desk"
	"ibid/history"
	"ibid/ui/chatview"
	"ibid/ui/page"
	"ibid/ui/picker"
	"ibid/ui/review"
	"ibid/ui/theme"
	"ibid/ui/transcript"
	"ibid/vault"
	"ibid/vault/md"
)

// writeReply asks where the chosen reply is to be written: into a new note, or at the
// end of one.
func writeReply(appends bool) action {
	return func(m *Model) tea.Cmd { return beginWrite(m, appends) }
}

// replyPiece is what is to be written, and where to.
type replyPiece struct {
	desk.Piece
	appends bool
}

// findReply finds the last reply of a turn in the chat, and what of it can be written.
type findReply struct {
	turn    int
	appends bool
	chosen  desk.Piece // what of it, the zero value if that is to be asked
}

// replyMsg is a reply that is to be written.
type replyMsg struct {
	piece replyPiece
	code  []md.CodeBlock
	lines int
	name  string // that is proposed for a new note
}

// beginWrite begins to write the chosen reply.
func beginWrite(m *Model, appends bool) tea.Cmd {
	k := &m.k
	what, turn := k.Choice.Piece()
	msg, ok := k.Turn.Transcript.Selected()
	switch {
	case k.Turn.Running():
		return m.carryOut(chatview.Busy)
	case what.From > 0:
		return m.work(findReply{turn, appends, what})
	case what.Text != "": // with the mouse, of any message
	case !ok || msg.Turn == 0 || msg.Role != transcript.Assistant && msg.Role != transcript.Tool: // a call belongs to a reply
		return m.say("choose a reply: a click does, or [ and ] and k and j")
	}
	return m.work(findReply{msg.Turn, appends, what})
}

func (j findReply) run(_ context.Context, d *desk.Desk) (tea.Msg, error) {
	chat, err := d.Session().Chat()
	if err != nil {
		return nil, err
	}
	turn := 0
	msg := replyMsg{name: d.Writer().NoteName()}
	for n, m := range chat.Display() {
		switch {
		case m.Role == history.User:
			turn++
		case turn == j.turn:
			msg.piece = replyPiece{desk.Piece{Message: n}, j.appends}
			msg.code, msg.lines = md.CodeBlocks(m.Text), strings.Count(strings.Trim(m.Text, "\n"), "\n")+1
			if c := j.chosen; c.Text != "" {
				msg.code = nil
				msg.piece.From, msg.piece.To, msg.piece.Text = c.From, c.To, c.Text
				if c.From > 0 && (strings.Contains(c.Text, "[") || strings.Contains(m.Text, c.Text)) {
					msg.piece.Text = "" // it is found by its place, with what it refers to
				}
			}
		}
	}
	if msg.piece.Message == 0 {
		return nil, errors.New("this turn has no reply that is kept")
	}
	return msg, nil
}

// carryOut lists what can be written, or places for it if it is one thing.
func (r replyMsg) carryOut(m *Model) tea.Cmd {
	if len(r.code) == 0 {
		return m.setPage(wherePage(&m.k, r.where()))
	}
	return m.setPage(page.NewList(m.k.Env, pieceList{&m.k, r}, ""))
}

// where is the list of places for what is to be written.
func (r *replyMsg) where() openWhere { return openWhere{r.piece, r.name} }

// openWhere is what a list of places begins with.
type openWhere struct {
	piece replyPiece
	query string
}

// wherePage is the list of places.
func wherePage(k *known, o openWhere) page.Page {
	if !o.piece.appends {
		return page.NewList(k.Env, &folderList{k: k, piece: o.piece}, o.query)
	}
	query := ""
	if strings.HasSuffix(o.query, "#") {
		query = o.query
	}
	return page.NewList(k.Env, &placeList{noteList: noteList{k: k}, piece: o.piece}, query)
}

// pieceList lists what of a reply can be written.
type pieceList struct {
	k     *known
	reply replyMsg
}

func (l pieceList) Options() picker.Options {
	return picker.Options{Title: "What of the reply?", Page: true, Choose: "write it"}
}

func (l pieceList) Rows(string) page.Listing {
	items := []picker.Item{{ID: "0", Label: "All of it", Meta: theme.Plural(l.reply.lines, "line")}}
	for i, code := range l.reply.code {
		first, _, _ := strings.Cut(strings.TrimLeft(code.Text, "\n"), "\n")
		items = append(items, picker.Item{
			ID: fmt.Sprint(i + 1), Label: strings.TrimSpace(fmt.Sprintf("Code block %d  %s", i+1, code.Info)), Detail: md.Clip(first, 60),
			Meta: theme.Plural(strings.Count(code.Text, "\n"), "line"),
		})
	}
	return page.Listing{Rows: picker.Rows{Items: items}}
}

func (l pieceList) Actions() []page.Action {
	return []page.Action{page.On("enter", "write it", func(r page.Row) page.Request {
		chosen := l.reply
		_, _ = fmt.Sscan(r.ID, &chosen.piece.Code) // the ids are numbers
		return page.Show{Page: wherePage(l.k, chosen.where())}
	})}
}

// folderList asks for the name of a new note, and lists the folders that it could be in.
type folderList struct {
	k     *known
	piece replyPiece
}

func (l *folderList) Options() picker.Options {
	return picker.Options{Title: "Write to a new note", Filter: true, Page: true, Placeholder: "name, or folder/name", Choose: "show what would be written"}
}

// rows are the note as it is typed, and the same name in each folder that holds what is
// typed in front of it.
func (l *folderList) Rows(query string) page.Listing {
	name := strings.TrimSpace(query)
	folder, base := path.Split(name)
	var items []picker.Item
	if base != "" {
		items = append(items, picker.Item{ID: name, Label: strings.TrimSuffix(base, ".md") + ".md", Detail: cmpFolder(folder, "where Obsidian makes new notes")})
	}
	chats := vault.Path("")
	if l.k.opt.Store != nil {
		chats = l.k.opt.Store.Folder()
	}
	for _, f := range l.k.opt.Vault.Folders() {
		in := string(f) + "/"
		if f == "" || in == folder || chats != "" && (f == chats || f.In(chats)) || !page.Matches(in, folder) {
			continue
		}
		if items = append(items, picker.Item{ID: in + base, Label: in, Detail: base}); len(items) > maxRows {
			break
		}
	}
	return page.Listing{Rows: picker.Rows{Items: items, Empty: "type a name"}}
}

func cmpFolder(folder, none string) string {
	if folder == "" {
		return none
	}
	return folder
}

func (l *folderList) Actions() []page.Action {
	return []page.Action{
		page.On("enter", "show what would be written", func(r page.Row) page.Request {
			return atDesk(proposeReply{l.piece, r.ID})
		}),
		{Key: key.NewBinding(key.WithKeys("tab"), key.WithHelp("tab", "take the folder")), Does: func(r page.Row) page.Request {
			return page.Show{Page: wherePage(l.k, openWhere{l.piece, r.ID})}
		}},
	}
}

// placeList lists the notes, and the headings of one, that a reply can be added to.
type placeList struct {
	noteList
	piece replyPiece
}

func (l *placeList) Options() picker.Options {
	return picker.Options{Title: "Add to a note", Filter: true, Page: true, Placeholder: "note, # for its headings", Choose: "show what would be written", Refine: "headings"}
}

func (l *placeList) Rows(query string) page.Listing {
	shown := l.noteList.Rows(query)
	if l.note == nil {
		var notes []picker.Item
		for _, it := range shown.Items {
			if l.noteAt(it.ID) != nil {
				it.Glyph, it.State, it.Meta, it.Disabled = "", "", "", ""
				notes = append(notes, it)
			}
		}
		shown.Items = notes
	}
	return shown
}

func (l *placeList) Actions() []page.Action {
	return []page.Action{
		page.On("enter", "show what would be written", func(r page.Row) page.Request {
			ref := r.ID
			switch {
			case l.note != nil && isLines(r.ID):
				return nil
			case l.note != nil:
				ref = string(l.note.Path) + "#" + r.ID
			}
			return atDesk(proposeReply{l.piece, ref})
		}),
		page.On("tab", "headings", func(r page.Row) page.Request {
			if note := l.noteAt(r.ID); note != nil {
				return page.Show{Page: wherePage(l.k, openWhere{l.piece, string(note.Path) + "#"})}
			}
			return nil
		}),
	}
}

// proposeReply computes what writing a piece of the chat would change.
type proposeReply struct {
	piece replyPiece
	where string
}

func (j proposeReply) run(ctx context.Context, d *desk.Desk) (tea.Msg, error) {
	if j.piece.appends {
		p, err := d.Writer().Append(ctx, j.piece.Piece, j.where)
		return ownOf(p, "the reply goes into this note", err)
	}
	p, err := d.Writer().New(j.piece.Piece, j.where)
	return ownOf(p, "the reply goes into a new note", err)
}

func ownOf(p *chains.Proposal, what string, err error) (tea.Msg, error) {
	if err != nil {
		return nil, err
	}
	return ownMsg{review.Own{Proposal: p, What: what}}, nil
}
