package gather

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"ibid/context/prompt"
	"ibid/vault"
)

// The references that stand for what the editor has open.
var (
	activeRef = prompt.Ref{Kind: prompt.Workspace, ID: "@active"}
	pinsRef   = prompt.Ref{Kind: prompt.Workspace, ID: "@pins"}
)

// Mentions finds the references in a text as typed, each once and in order.
// What names nothing, or several things, is returned as missing and attaches
// nothing.
func (g *Gatherer) Mentions(ctx context.Context, text string) ([]prompt.Ref, []prompt.Missing) {
	var refs []prompt.Ref
	var missing []prompt.Missing
	for _, m := range mentions(text) {
		found, miss := g.mention(ctx, m)
		for _, r := range found {
			if !slices.Contains(refs, r) {
				refs = append(refs, r)
			}
		}
		missing = append(missing, miss...)
	}
	return refs, missing
}

// Reference reads one reference as a person writes it after "@", with or
// without the "@", the quotes or the brackets.
func (g *Gatherer) Reference(ctx context.Context, ref string) ([]prompt.Ref, []prompt.Missing) {
	ref = strings.TrimSpace(ref)
	name := strings.TrimPrefix(ref, "@")
	if n := len(name); n > 2 && name[0] == '"' && name[n-1] == '"' {
		name = name[1 : n-1]
	}
	if inner, ok := strings.CutPrefix(strings.TrimPrefix(name, "!"), "[["); ok {
		name, _, _ = strings.Cut(strings.TrimSuffix(inner, "]]"), "|")
		name = strings.TrimSpace(name)
	}
	refs, missing := g.mention(ctx, mention{raw: ref, ref: name})
	for i := range missing {
		missing[i].Reason = strings.TrimSuffix(missing[i].Reason, staysText) // there is no text
	}
	return refs, missing
}

// staysText ends what is said about a mention that names nothing.
const staysText = "; it stays text"

// mention resolves one reference. A name that is not there may be of a note
// that nobody has told us of yet, so the vault is looked at once more.
func (g *Gatherer) mention(ctx context.Context, m mention) ([]prompt.Ref, []prompt.Missing) {
	refs, missing := g.lookup(m)
	if len(missing) == 1 && missing[0].State == "missing" {
		if changes, err := g.vault.Revalidate(ctx); err == nil && len(changes) > 0 {
			return g.lookup(m)
		}
	}
	return refs, missing
}

func (g *Gatherer) lookup(m mention) ([]prompt.Ref, []prompt.Missing) {
	if strings.HasPrefix(m.ref, "http://") || strings.HasPrefix(m.ref, "https://") {
		return []prompt.Ref{{Kind: prompt.URL, ID: m.ref}}, nil
	}
	if tag, ok := strings.CutPrefix(m.ref, "#"); ok {
		if len(g.vault.WithTag(tag)) == 0 {
			return nil, []prompt.Missing{{Ref: prompt.Ref{Kind: prompt.Tag, ID: m.ref}, State: "missing", Reason: fmt.Sprintf("%s: no note has this tag"+staysText, m.raw)}}
		}
		return []prompt.Ref{{Kind: prompt.Tag, ID: "#" + tag}}, nil
	}
	if !m.open {
		if ref, ok := workspaceRef(m.ref); ok && strings.HasPrefix(m.raw, "@") || ok && m.raw == m.ref {
			return []prompt.Ref{ref}, nil
		}
		return g.named(m, m.ref)
	}
	if ref, ok := workspaceRef(strings.TrimPrefix(m.raw, "@")); ok {
		return []prompt.Ref{ref}, nil
	}
	for _, name := range prefixes(m.ref) {
		if refs, missing := g.named(m, name); len(refs) > 0 || len(missing) > 0 && missing[0].State == "ambiguous" {
			return refs, missing
		}
	}
	return g.named(m, strings.TrimPrefix(m.raw, "@"))
}

func workspaceRef(name string) (prompt.Ref, bool) {
	switch name {
	case "active":
		return activeRef, true
	case "pins":
		return pinsRef, true
	}
	return prompt.Ref{}, false
}

// prefixes lists the names that a text may begin with, the longest first: it
// can end before any white space, before closing punctuation, and between
// characters of scripts that use no spaces.
func prefixes(s string) []string {
	const most = 96 // bytes of a name that is typed without quotes
	var ends []int
	prev := rune(0)
	for i, r := range s {
		if i > most {
			break
		}
		if i > 0 && (unicode.IsSpace(r) && !unicode.IsSpace(prev) || closing(r) || closing(prev) || unspaced(prev)) {
			ends = append(ends, i)
		}
		prev = r
	}
	if len(s) <= most {
		ends = append(ends, len(s))
	}
	slices.Reverse(ends)
	names := make([]string, 0, len(ends))
	for _, end := range ends {
		if name := strings.TrimSpace(s[:end]); name != "" {
			names = append(names, name)
		}
	}
	return names
}

func unspaced(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai)
}

// named resolves a name: a note or file, part of one, or a folder.
func (g *Gatherer) named(m mention, name string) ([]prompt.Ref, []prompt.Missing) {
	if dir, ok := g.folder(name); ok {
		return []prompt.Ref{{Kind: prompt.Folder, ID: string(dir) + "/"}}, nil
	}
	f := g.vault.Find(name)
	ref := prompt.Ref{Kind: prompt.Note, ID: name}
	switch f.State {
	case vault.OK, vault.Moved:
		ref.ID = string(f.Path)
		if f.Subpath == "" {
			return []prompt.Ref{ref}, nil
		}
		return g.part(m, f.Path, f.Subpath)
	case vault.Ambiguous:
		return nil, []prompt.Missing{{
			Ref: ref, State: "ambiguous", Candidates: names(f.Candidates),
			Reason: fmt.Sprintf("%s could be %s: nothing is attached, name the one that is meant", m.raw, strings.Join(names(f.Candidates), " or ")),
		}}
	case vault.Missing:
	}
	// Without its slash "." is the end of a sentence and not the whole vault.
	if dir, ok := g.folder(name + "/"); ok && dir != "" {
		return []prompt.Ref{{Kind: prompt.Folder, ID: string(dir) + "/"}}, nil
	}
	reason := fmt.Sprintf("%s: there is no such note"+staysText, m.raw)
	if len(f.Candidates) > 0 {
		reason = fmt.Sprintf("%s: there is no such note; did you mean %s?", m.raw, strings.Join(names(f.Candidates), " or "))
	}
	return nil, []prompt.Missing{{Ref: ref, State: "missing", Candidates: names(f.Candidates), Reason: reason}}
}

func (g *Gatherer) folder(name string) (vault.Path, bool) {
	dir, ok := strings.CutSuffix(name, "/")
	if !ok {
		return "", false
	}
	p, err := vault.ParsePath(dir)
	if err != nil {
		return "", false
	}
	if p == "" {
		return "", dir == "" || dir == "." // "@/" is the whole vault
	}
	for _, f := range g.vault.Folders() {
		if strings.EqualFold(string(f), string(p)) {
			return f, true
		}
	}
	return "", false
}

// part resolves a heading, a block or lines of a note.
func (g *Gatherer) part(m mention, p vault.Path, sub string) ([]prompt.Ref, []prompt.Missing) {
	t, err := g.vault.Read(p)
	if err != nil {
		return nil, []prompt.Missing{missingFile(prompt.Ref{Kind: prompt.Note, ID: string(p)}, err)}
	}
	start, end, ok := t.Section(sub)
	if !ok {
		return nil, []prompt.Missing{{
			Ref: prompt.Ref{Kind: prompt.Selection, ID: string(p) + "#" + sub}, State: "missing",
			Reason: fmt.Sprintf("%s: %s has no such heading, block or line", m.raw, p),
		}}
	}
	if isLines(sub) {
		return []prompt.Ref{prompt.Lines(string(p), start, end)}, nil
	}
	for _, h := range t.Note.Headings {
		if h.Line == start && !strings.Contains(sub, "#") && !strings.HasPrefix(sub, "^") {
			sub = h.Text // as the note spells it, so that it is one thing however it is typed
		}
	}
	return []prompt.Ref{{Kind: prompt.Selection, ID: string(p) + "#" + sub}}, nil
}

// isLines reports whether a subpath names lines by number.
func isLines(sub string) bool {
	return strings.HasPrefix(sub, "L") && strings.Trim(sub, "L-0123456789") == "" && strings.ContainsAny(sub, "0123456789")
}

func names(paths []vault.Path) []string {
	out := make([]string, len(paths))
	for i, p := range paths {
		out[i] = string(p)
	}
	return out
}
