package gather

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"unicode"

	"ibid/context/prompt"
	"ibid/vault"
	"ibid/vault/index/fold"
	"ibid/vault/md"
)

// Mentions returns the references in a typed text, each once and in order. A name of nothing, or of several things,
// is returned as missing and attaches nothing. Text in spans is not searched; the references that spans stand for
// are returned, whether they exist or not. The time is proportional to the text, whatever the size of the vault. A
// folder or a tag with many notes in running text is missing, too; "@folder/", "@#tag" and spans attach it.
func (g *Gatherer) Mentions(ctx context.Context, text string, spans ...prompt.Span) ([]prompt.Ref,
	[]prompt.MissingRef,
) {
	return g.answer(ctx, mentions(text, spans))
}

// Reference parses one reference as a person writes it after "@", with or without the "@", the quotes or the
// brackets.
func (g *Gatherer) Reference(ctx context.Context, ref string) ([]prompt.Ref, []prompt.MissingRef) {
	ref = strings.TrimSpace(ref)
	m := mention{raw: ref, ref: strings.TrimPrefix(ref, "@"), chosen: true}
	if n := len(m.ref); n > 2 && m.ref[0] == '"' && m.ref[n-1] == '"' {
		m.ref, m.link = m.ref[1:n-1], true
	}
	if strings.HasPrefix(strings.TrimPrefix(m.ref, "!"), "[[") {
		m.ref = md.Unlink(m.ref)
		m.link = true
		m.bracketed = true
	}
	refs, missing := g.answer(ctx, []mention{m})
	for i := range missing {
		missing[i].Reason = strings.TrimSuffix(missing[i].Reason, staysText) // there is no text
	}
	return refs, missing
}

// staysText is the end of the message about a mention that names nothing.
const staysText = "; it stays text"

// answer resolves mentions. A name that is unknown may be that of a note that no event has reported yet, and a note
// that is not at its place may have been renamed, so it looks at the disk once for all of them.
func (g *Gatherer) answer(ctx context.Context, all []mention) ([]prompt.Ref, []prompt.MissingRef) {
	answers := make([]answer, len(all))
	unknown := false
	for i, m := range all {
		answers[i] = g.lookup(m)
		unknown = unknown || m.picked.ID == "" && g.needsDisk(&answers[i])
	}
	if unknown {
		if changes, err := g.vault.Revalidate(ctx); err == nil && len(changes) > 0 {
			for i, m := range all {
				if g.needsDisk(&answers[i]) {
					answers[i] = g.lookup(m)
				}
			}
		}
	}
	var refs []prompt.Ref
	var missing []prompt.MissingRef
	seen := map[prompt.Ref]bool{}
	said := map[string]bool{}
	more := 0
	for i, a := range answers {
		if m := &all[i]; !m.chosen && (a.loose || !strings.HasPrefix(m.raw, "@")) {
			g.limitExpansion(&a)
		}
		switch {
		case a.miss == nil && !seen[a.ref]:
			seen[a.ref] = true
			refs = append(refs, a.ref)
		case a.miss == nil || said[all[i].raw]:
		case len(missing) >= maxMissing && a.unknown():
			said[all[i].raw] = true
			more++
		default:
			said[all[i].raw] = true
			missing = append(missing, g.explain(all[i], a.miss[0]))
		}
	}
	if more > 0 {
		missing = append(missing,
			prompt.MissingRef{
				State: "missing",
				Reason: fmt.Sprintf(
					"%d more names after @, # or in brackets are of nothing in the vault; they stay text", more),
			})
	}
	return refs, missing
}

// maxMissing limits the mentions of nothing that are reported one by one, because pasted text can contain
// hundreds.
const maxMissing = 8

// answer is the resolution of a mention: a reference, or the reason why there is none.
type answer struct {
	ref   prompt.Ref
	miss  []prompt.MissingRef // one or none
	loose bool                // a folder that was named without its slash
}

func (a *answer) unknown() bool { return a.miss != nil && a.miss[0].State == "missing" }

func newAnswer(kind prompt.Kind, id string) answer {
	return answer{ref: prompt.Ref{Kind: kind, ID: id}}
}

func noAnswer(kind prompt.Kind, id, state, reason string) answer {
	return answer{miss: missingRef(prompt.Ref{Kind: kind, ID: id}, state, reason)}
}

// Limits of a folder or a tag in running text, because a word that begins with "#" is rarely meant to attach half
// of a vault.
const (
	manyNotes  = 20
	manyTokens = 10_000
)

// limitExpansion replaces the answer by a reason if it is a folder or a tag with many notes.
func (g *Gatherer) limitExpansion(a *answer) {
	if a.miss != nil || !a.ref.Kind.Info().Expands {
		return
	}
	count, size := 0, int64(0)
	for _, n := range g.members(a.ref) {
		if !n.Private {
			count++
			size += n.Size
		}
	}
	if tokens := size / 4; count > manyNotes || tokens > manyTokens {
		*a = noAnswer(a.ref.Kind, a.ref.ID, "many",
			fmt.Sprintf(
				"%s stands for %s notes, about %s tokens: nothing is attached; write @%s or pick it from the list to attach them all",
				a.ref.ID, md.Thousands(count), md.Thousands(int(tokens)), a.ref.ID))
	}
}

// explain adds the message for a mention that names nothing, with the notes that may have been meant. It runs once
// per mention and not for each name that was tried, because finding those takes longer than finding a note.
func (g *Gatherer) explain(m mention, miss prompt.MissingRef) prompt.MissingRef {
	if miss.Reason != "" {
		return miss
	}
	miss.Reason = fmt.Sprintf("%s: there is no such note"+staysText, m.raw)
	tried := []string{miss.Ref.ID}
	if m.open {
		tried = prefixes(m.ref)
		tried = tried[max(0, len(tried)-maxTriedNames):] // a name that was meant has a few words at most
	}
	for _, name := range tried {
		found := g.vault.Lookup(name, m.purpose())
		if found.IsElsewhere(name) {
			miss.Candidates = vault.PathStrings(found.Candidates)
			miss.Reason = fmt.Sprintf("%s: there is no such note; there is %s", m.raw,
				strings.Join(miss.Candidates, " or "))
			return miss
		}
	}
	for _, name := range tried {
		if near := g.vault.Find(name, m.purpose()).Candidates; len(near) > 0 {
			miss.Candidates = vault.PathStrings(near)
			miss.Reason = fmt.Sprintf("%s: there is no such note; did you mean %s?", m.raw,
				strings.Join(miss.Candidates, " or "))
			break
		}
	}
	return miss
}

// maxTriedNames limits the names of a mention that are compared with those of the notes.
const maxTriedNames = 4

// needsDisk reports whether looking at the disk may give another answer.
func (g *Gatherer) needsDisk(a *answer) bool {
	if a.unknown() || a.ref.Kind != prompt.Note && a.ref.Kind != prompt.Picture {
		return a.unknown()
	}
	_, err := g.vault.Stat(vault.Path(a.ref.ID))
	return errors.Is(err, fs.ErrNotExist)
}

func (g *Gatherer) lookup(m mention) answer {
	switch {
	case m.picked.ID != "":
		return answer{ref: m.picked}
	case m.link:
		return g.resolveName(m, m.ref)
	case md.StartsURL(m.ref):
		return newAnswer(prompt.URL, m.ref)
	case strings.HasPrefix(m.ref, "#"):
		if len(g.Members(prompt.Ref{Kind: prompt.Tag, ID: m.ref})) == 0 {
			return noAnswer(prompt.Tag, m.ref, "missing", fmt.Sprintf("%s: no note has this tag"+staysText, m.raw))
		}
		return newAnswer(prompt.Tag, m.ref)
	case !m.open:
		if ref, ok := workspaceRef(m.ref); ok {
			return answer{ref: ref}
		}
		return g.resolveName(m, m.ref)
	}
	word := strings.TrimPrefix(m.raw, "@")
	for _, name := range prefixes(m.ref) {
		if ref, ok := workspaceRef(name); ok && name == word {
			return answer{ref: ref}
		}
		if i := strings.LastIndexByte(name, '/'); i > len(word) && i < len(name)-1 {
			if _, ok := g.folder(name[:i+1]); !ok {
				continue // a slash later in the sentence is not part of a path
			}
		}
		if cutsPath(name, m.ref[len(name):]) {
			continue
		}
		if a := g.resolveName(m, name); a.miss == nil || a.miss[0].State == "ambiguous" {
			return a
		}
	}
	m.open = false
	return g.resolveName(m, word)
}

// cutsPath reports whether name, with the text rest behind it, is only the beginning of a path: "Plan" of "Plan.md" or
// of "Plan (2025)/Notes". A path means its own file or none, and not that of its beginning.
func cutsPath(name, rest string) bool {
	if strings.HasSuffix(name, ".") {
		rest = "." + rest
	}
	if rest == "" || rest[0] != '.' && rest[0] != '/' {
		return false
	}
	word := rest[1:]
	end := strings.IndexFunc(word, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if end >= 0 {
		word = word[:end]
	}
	if rest[0] == '/' {
		return word != ""
	}
	return vault.HasNoteEnding("." + word)
}

// workspaceRef returns the reference of a word such as active, pins, vault, web, memory or composer; ok is false
// for any other name.
func workspaceRef(name string) (prompt.Ref, bool) {
	if !slices.Contains([]string{"active", "pins", "vault", "web", "memory", "composer"}, name) {
		return prompt.Ref{}, false
	}
	return prompt.Ref{Kind: prompt.Workspace, ID: "@" + name}, true
}

// prefixes returns the names that a text may begin with, the longest first. A name can end before white space,
// before closing punctuation, and between characters of scripts without spaces, or that add endings directly to a
// word.
func prefixes(s string) []string {
	const most = 300 // bytes of a name without quotes
	var ends []int
	prev := rune(0)
	for i, r := range s {
		if i > most {
			break
		}
		if i > 0 &&
			(unicode.IsSpace(r) && !unicode.IsSpace(prev) || md.IsClosing(r) || md.IsClosing(prev) ||
				fold.IsDense(prev)) {
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

// resolveName resolves a name: a note or file, part of one, or a folder. If it does not exist, explain adds the
// message.
func (g *Gatherer) resolveName(m mention, name string) answer {
	if dir, ok := g.folder(name); ok {
		return newAnswer(prompt.Folder, string(dir)+"/")
	}
	f := g.vault.Lookup(name, m.purpose())
	switch f.State {
	case vault.OK, vault.Moved:
		if f.Subpath != "" {
			return g.partOf(m, f.Path, f.Subpath)
		}
		if vault.IsPicture(string(f.Path)) {
			return newAnswer(prompt.Picture, string(f.Path))
		}
		return newAnswer(prompt.Note, string(f.Path))
	case vault.Ambiguous:
		a := noAnswer(prompt.Note, name, "ambiguous",
			fmt.Sprintf("%s could be %s: nothing is attached, name the one that is meant", m.raw,
				strings.Join(vault.PathStrings(f.Candidates), " or ")))
		a.miss[0].Candidates = vault.PathStrings(f.Candidates)
		return a
	case vault.Missing:
	}
	// Without a slash, "." is the end of a sentence, and not the whole vault. The name of an open mention may go on.
	if !m.open {
		if dir, ok := g.folder(name + "/"); ok && dir != "" {
			return answer{ref: prompt.Ref{Kind: prompt.Folder, ID: string(dir) + "/"}, loose: true}
		}
	}
	return noAnswer(prompt.Note, name, "missing", "")
}

// folder returns the folder with a name that ends with a slash.
func (g *Gatherer) folder(name string) (vault.Path, bool) {
	dir, ok := strings.CutSuffix(name, "/")
	if !ok || strings.HasSuffix(dir, "/") {
		return "", false
	}
	return vault.FolderNamed(g.vault.Folders(), dir)
}

// partOf resolves a heading, a block or lines of a note.
func (g *Gatherer) partOf(m mention, p vault.Path, sub string) answer {
	t, err := g.vault.Local().Read(p)
	if err != nil {
		return answer{miss: missingFile(prompt.NoteRef(p), err)}
	}
	start, end, ok := t.Section(sub)
	if !ok {
		return noAnswer(prompt.Selection, string(p)+"#"+sub, "missing",
			fmt.Sprintf("%s: %s has no such heading, block or line", m.raw, p))
	}
	if _, _, lines := vault.LineRange(sub); lines {
		return answer{ref: prompt.Lines(string(p), start, end)}
	}
	for _, h := range t.Note.Headings {
		if h.Line == start && !strings.Contains(sub, "#") && !strings.HasPrefix(sub, "^") {
			sub = h.Text // the note's spelling, so that all spellings give the same reference
		}
	}
	return newAnswer(prompt.Selection, string(p)+"#"+sub)
}

// Leads reports whether the target of a wikilink is in the vault: as Obsidian resolves it, or by its title or an
// alias.
func (g *Gatherer) Leads(target string) bool {
	f := g.vault.Resolve(target, "")
	return f.State == vault.OK || len(f.Candidates) > 0
}
