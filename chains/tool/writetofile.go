package tool

import (
	"context"
	"strings"

	"golang.org/x/text/unicode/norm"

	"ibid/chains"
	"ibid/vault"
	"ibid/vault/edit"
)

type writeArgs struct{ Path, Content, Mode string }

func (o Options) writeToFile(ctx context.Context, a writeArgs) chains.ToolOutput {
	p, wrong := o.writePath(ctx, a)
	if wrong != nil {
		return wrong.output()
	}
	return o.propose(ctx, "writeToFile", p, func(before string, there bool) (string, error) {
		switch {
		case there && a.Mode == "create":
			return "", exists(p)
		case !there:
			return a.Content, nil
		case a.Mode == "append":
			return edit.Append(before, a.Content), nil
		case a.Mode == "prepend":
			return edit.Prepend(before, a.Content), nil
		}
		return edit.Rewrite(before, a.Content), nil
	})
}

// writePath returns the path of the file that a call writes: a new one, or an existing note.
func (o Options) writePath(ctx context.Context, a writeArgs) (vault.Path, *mistake) {
	p, err := vault.ParsePath(strings.TrimSpace(a.Path))
	if err != nil || p == "" {
		return "", newMistake("path: it leaves the vault", "name a note by its path in the vault")
	}
	p = p.AsNote()
	o.Settle(ctx, p)
	if dir, ok := vault.FolderNamed(o.Vault.Folders(), string(p.Dir())); ok && dir != "" {
		p = dir + "/" + vault.Path(p.Name())
	}
	if same, ok := o.noteSpelled(p); ok {
		p = same
	}
	switch _, err := o.Vault.Stat(p); {
	case err == nil:
		return p, nil
	case strings.Contains(a.Path, "#"):
		return "", newMistake("path: it names a part of a note",
			"this writes whole notes, whose names have no #; editFile changes a part of one")
	case a.Mode == "create" || a.Mode == chains.BlockMode:
		return p, nil
	}
	n, wrong := o.findNote(ctx, a.Path)
	if wrong != nil {
		if wrong.what == "Note not found" {
			wrong.message += "; mode create makes a new one"
		}
		return "", wrong
	}
	return n.Path, nil
}

// noteSpelled returns the existing note whose path equals p except for case and the encoding of accents.
func (o Options) noteSpelled(p vault.Path) (vault.Path, bool) {
	if _, ok := o.Vault.Note(p); ok {
		return p, true
	}
	want := norm.NFC.String(string(p))
	for _, n := range o.Vault.Notes() {
		if strings.EqualFold(norm.NFC.String(string(n.Path)), want) {
			return n.Path, true
		}
	}
	return "", false
}

func exists(p vault.Path) *mistake {
	return newMistake("the note exists", string(p)+
		" is there already: mode replace writes all of it anew, append and prepend add to it, and editFile changes a passage")
}
