package browse

import (
	"cmp"
	"fmt"
	"path"
	"strings"

	"ibid/ui/chatview"
	"ibid/ui/page"
	"ibid/ui/picker"
	"ibid/ui/theme"
	"ibid/vault"
	"ibid/vault/md"
)

// Reply is a reply to write to a note.
type Reply struct {
	Piece   chatview.Piece // part of the reply
	Appends bool           // to the end of an existing note, else to a new one
	Code    []md.CodeBlock
	Lines   int
	Name    string // proposed name of a new note
}

// OpenWrite returns the list of pieces of a reply, or if there is only one, the list of places for it.
func (c *Catalog) OpenWrite(r Reply) page.Page {
	if len(r.Code) == 0 {
		return newPlaces(c, r, r.Name)
	}
	return page.NewList(c.Env, pieceList{c, r}, "")
}

// newPlaces returns the list of places for a piece.
func newPlaces(c *Catalog, r Reply, query string) page.Page {
	if !r.Appends {
		return page.NewList(c.Env, &folderList{c, r}, query)
	}
	if !strings.HasSuffix(query, "#") {
		query = ""
	}
	return page.NewList(c.Env, &placeList{noteList{Catalog: c}, r}, query)
}

// pieceList lists the pieces of a reply that can be written.
type pieceList struct {
	*Catalog
	reply Reply
}

func (l pieceList) Options() picker.Options {
	return picker.Options{Title: "What of the reply?", Fixed: true}
}

func (l pieceList) Rows(string) page.Listing {
	items := []picker.Item{{ID: "0", Label: "All of it", Meta: theme.Plural(l.reply.Lines, "line")}}
	for i, code := range l.reply.Code {
		first, _, _ := strings.Cut(strings.TrimLeft(code.Text, "\n"), "\n")
		items = append(items, picker.Item{
			ID: fmt.Sprint(i + 1), Label: strings.TrimSpace(fmt.Sprintf("Code block %d  %s", i+1, code.Info)),
			Detail: md.Clip(first, 60),
			Meta:   theme.Plural(strings.Count(code.Text, "\n"), "line"),
		})
	}
	return page.Listing{Rows: picker.Rows{Items: items}}
}

func (l pieceList) Actions() []page.Action {
	return []page.Action{page.On("enter", "write it", func(r page.Row) page.Request {
		chosen := l.reply
		_, _ = fmt.Sscan(r.ID, &chosen.Piece.Code) // the ids are numbers
		return page.Show{Page: newPlaces(l.Catalog, chosen, chosen.Name)}
	})}
}

// folderList asks for the name of a new note, and lists folders for it.
type folderList struct {
	*Catalog
	reply Reply
}

func (l *folderList) Options() picker.Options {
	return picker.Options{Title: "Write to a new note", Placeholder: "name, or folder/name"}
}

// Rows lists the note as typed, and the same name in each folder that contains the typed folder.
func (l *folderList) Rows(query string) page.Listing {
	name := strings.TrimSpace(query)
	folder, base := path.Split(name)
	var items []picker.Item
	if base != "" {
		items = append(items, picker.Item{
			ID: name, Label: strings.TrimSuffix(base, ".md") + ".md",
			Detail: cmp.Or(folder, "where Obsidian makes new notes"),
		})
	}
	chats := vault.Path("")
	if l.Store != nil {
		chats = l.Store.Folder()
	}
	for _, f := range l.Vault.Folders() {
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

func (l *folderList) Actions() []page.Action {
	return []page.Action{
		page.On("enter", "show what would be written", func(r page.Row) page.Request {
			return post(Propose{l.reply, r.ID})
		}),
		page.On("tab", "take the folder", func(r page.Row) page.Request {
			return page.Show{Page: newPlaces(l.Catalog, l.reply, r.ID)}
		}),
	}
}

// placeList lists the notes that a reply can be added to, or the headings of one.
type placeList struct {
	noteList
	reply Reply
}

func (l *placeList) Options() picker.Options {
	return picker.Options{Title: "Add to a note", Placeholder: "note, # for its headings"}
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
			case l.note != nil && isLineRange(r.ID):
				return nil
			case l.note != nil:
				ref = string(l.note.Path) + "#" + r.ID
			}
			return post(Propose{l.reply, ref})
		}),
		page.On("tab", "headings", func(r page.Row) page.Request {
			if note := l.noteAt(r.ID); note != nil {
				return page.Show{Page: newPlaces(l.Catalog, l.reply, string(note.Path)+"#")}
			}
			return nil
		}),
	}
}
