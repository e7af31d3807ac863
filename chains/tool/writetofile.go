package tool

import (
	"context"
	"strings"

	"ibid/chains"
	"ibid/vault"
	"ibid/vault/edit"
	"ibid/vault/legible"
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
		return rewrite(before, a.Content)
	})
}

// rewrite returns content in place of the text of a note. What the model could not read in it, such as a drawing, goes
// back into its place.
func rewrite(before, content string) (string, error) {
	plain, _ := vault.Normalize([]byte(before))
	content, err := legible.Restore(plain, content)
	if err != nil {
		return "", newMistake("data would be lost", err.Error())
	}
	return edit.Rewrite(before, content), nil
}

// writePath returns the path of the file that a call writes. The modes that may make a note take the name as the path
// of that note; the others need a note that there is, and never take one of its name in another folder.
func (o Options) writePath(ctx context.Context, a writeArgs) (vault.Path, *mistake) {
	p, err := vault.ParsePath(strings.TrimSpace(a.Path))
	if err != nil || p == "" {
		return "", newMistake("path: it leaves the vault", "name a note by its path in the vault")
	}
	if strings.HasSuffix(strings.TrimSpace(a.Path), "/") {
		return "", newMistake("path: it names a folder", "name a note by its path in the vault")
	}
	p = p.AsNote()
	o.Settle(ctx, p)
	p = o.Vault.Spelled(p)
	f := o.Vault.Lookup(a.Path, vault.ToWrite)
	_, err = o.Vault.Stat(p)
	switch {
	case err == nil && (f.State != vault.Ambiguous || a.Mode == "create"):
		return p, nil // what may not be written is refused with its reason
	case err != nil && strings.Contains(a.Path, "#"):
		return "", newMistake("path: it names a part of a note",
			"this writes whole notes, whose names have no #; editFile changes a part of one")
	case err != nil && (a.Mode == "create" || a.Mode == chains.BlockMode):
		return p, nil
	}
	n, _, wrong := o.findPart(ctx, a.Path, vault.ToWrite)
	if wrong != nil {
		if wrong.what == "Note not found" {
			wrong.message += "; mode create makes a new one"
		}
		return "", wrong
	}
	return n.Path, nil
}

func exists(p vault.Path) *mistake {
	return newMistake("the note exists", string(p)+
		" is there already: mode replace writes all of it anew, append and prepend add to it, and editFile changes a passage")
}
