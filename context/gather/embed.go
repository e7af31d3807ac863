package gather

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"ibid/context/prompt"
	"ibid/vault"
	"ibid/vault/legible"
)

// transclude adds to an item, lines from..to of t, the notes and parts of notes that these lines embed: each once,
// without what they embed themselves. One that must not be sent is reported as missing; one that does not exist
// stays a link in the text.
func (g *Gatherer) transclude(it prompt.Item, t *vault.Text, from, to int) (prompt.Item, []prompt.MissingRef) {
	var parts []prompt.EmbeddedText
	var left []prompt.MissingRef
	seen := map[string]bool{strings.ToLower(it.Path): true} // the item itself
	for l := range t.Note.Links() {
		if l.Kind != vault.Embed || l.Line < from || l.Line > to {
			continue
		}
		p, ok := g.embeddedNote(l.Target, t.Note.Path)
		if !ok || p == t.Note.Path && it.Kind == prompt.Note {
			continue
		}
		name := string(p)
		if l.Subpath != "" {
			name += "#" + l.Subpath
		}
		if seen[strings.ToLower(name)] {
			continue
		}
		seen[strings.ToLower(name)] = true
		text, err := g.embeddedText(p, l.Subpath)
		switch {
		case err == nil && text != "":
			readable, leftOut := legible.Read(text)
			parts = append(parts, prompt.EmbeddedText{Path: name, Content: readable})
			left = append(left, missingData(prompt.NoteRef(name), leftOut)...)
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			miss := missingFile(prompt.NoteRef(name), err)
			left = append(left, missingRef(miss[0].Ref, "embed",
				fmt.Sprintf("%s embeds a note that is left out: %s", it.ID, miss[0].Reason))...)
		}
	}
	return it.Embed(parts), left
}

// embeddedNote returns the note that an embed in the note from names; ok is false if there is none. It finds a note
// that is newer than the last look at the disk only by its path.
func (g *Gatherer) embeddedNote(target string, from vault.Path) (p vault.Path, ok bool) {
	if target == "" {
		return from, true
	}
	if vault.IsPicture(target) || strings.Contains(target, "://") {
		return "", false
	}
	if f := g.vault.Resolve(target, from); f.State == vault.OK {
		return f.Path, f.Path.IsNote()
	}
	p, err := vault.ParsePath(strings.TrimSuffix(target, ".md") + ".md")
	if err == nil {
		_, err = g.vault.Stat(p)
	}
	return p, err == nil
}

// embeddedText returns the text of a note without its properties, or of a part of it; "" if there is no such part.
func (g *Gatherer) embeddedText(p vault.Path, sub string) (string, error) {
	t, err := g.vault.Read(p)
	if err != nil {
		return "", err
	}
	from, to, ok := t.Note.BodyLine, 1<<30, true
	if sub != "" {
		from, to, ok = t.Section(sub)
	}
	if !ok {
		return "", nil
	}
	return t.Lines(from, to), nil
}
