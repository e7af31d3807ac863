package gather

import (
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"ibid/context/prompt"
	"ibid/vault"
	"ibid/vault/index/fold"
	"ibid/vault/md"
)

// A saved prompt may contain variables, like the prompts of Obsidian Copilot:
//
//	{}  {activeNote}  {[[Note]]}  {[[Note#Heading]]}  {#tag1, #tag2}  {folder}  {folder/note.md}
//
// Rules: any other text in braces is unchanged, and so are JSON, {{a template}}, and braces directly after a
// letter, as in \frac{a}{b}. In code, {} and {folder} count only on a line of their own.

// Values are the values of the variables of a saved prompt.
type Values struct {
	Text     string        // for "{}": typed after the name of the prompt, or pasted; it may contain references
	Spans    []prompt.Span // parts of Text that were pasted or picked
	Selected []prompt.Ref  // for "{}" without a text
	Active   prompt.Ref    // the open note, zero if there is none; for "{}" if there is nothing else
}

// isPhrase reports whether the text is a typed line, which replaces "{}". Any other text is put after the prompt, as
// Copilot does.
func (v *Values) isPhrase() bool {
	pasted := slices.ContainsFunc(v.Spans, func(s prompt.Span) bool { return s.Ref.ID == "" })
	return strings.TrimSpace(v.Text) != "" && !pasted && !strings.Contains(v.Text, "\n")
}

// FilledPrompt is the text of a saved prompt with its variables filled in. Notes, tags and folders are named as in
// any message; their texts are not in it.
type FilledPrompt struct {
	Text    string
	Spans   []prompt.Span       // references of the variables; the rest of the prompt has none
	Missing []prompt.MissingRef // variables that were not filled in
	Empty   bool                // "{}" has no value
}

// Marks around a text after the prompt.
const (
	selectedName  = "{selected_text}"
	selectedOpen  = "<selected_text>\n"
	selectedClose = "\n</selected_text>"
)

// Fill fills in the variables of a saved prompt. A text that no "{}" takes is put after the prompt. It uses the
// vault as of the last look at the disk.
func (g *Gatherer) Fill(ctx context.Context, text string, with Values) FilledPrompt {
	f := filler{g: g, with: with}
	at, selected, said := 0, false, false
	for _, v := range variables(text) {
		f.literal(text[at:v.from])
		at = v.to
		switch {
		case v.name == "" && with.isPhrase():
			f.typed()
			said = true
		case v.name == "" && strings.TrimSpace(with.Text) != "":
			f.literal(selectedName)
			selected = true
		case v.name == "" && len(with.Selected) > 0:
			f.picks(with.Selected)
		case v.name == "":
			f.out.Empty = !f.active(text[v.from:v.to]) || f.out.Empty
		case strings.EqualFold(v.name, "activeNote"):
			f.active(text[v.from:v.to])
		default:
			f.named(ctx, text[v.from:v.to], v.name)
		}
	}
	f.literal(text[at:])
	switch {
	case selected:
		f.literal("\n\n" + selectedOpen)
		f.typed()
		f.literal(selectedClose)
	case strings.TrimSpace(with.Text) != "" && !said:
		f.literal("\n\n")
		f.typed()
	}
	return f.out
}

// filler builds the text of a prompt.
type filler struct {
	g    *Gatherer
	with Values
	out  FilledPrompt
}

// literal adds text without references.
func (f *filler) literal(s string) {
	from := len(f.out.Text)
	f.out.Text += s
	last := len(f.out.Spans) - 1
	switch {
	case s == "":
	case last >= 0 && f.out.Spans[last].To == from && f.out.Spans[last].Ref.ID == "":
		f.out.Spans[last].To = len(f.out.Text)
	default:
		f.out.Spans = append(f.out.Spans, prompt.Span{From: from, To: len(f.out.Text)})
	}
}

// pick adds the name of a reference.
func (f *filler) pick(name string, ref prompt.Ref) {
	from := len(f.out.Text)
	f.out.Text += name
	f.out.Spans = append(f.out.Spans, prompt.Span{From: from, To: len(f.out.Text), Ref: ref})
}

func (f *filler) picks(refs []prompt.Ref) {
	for i, r := range refs {
		if i > 0 {
			f.literal(", ")
		}
		f.pick(linkOf(r), r)
	}
}

// typed adds the text of the person.
func (f *filler) typed() {
	from := len(f.out.Text)
	f.out.Text += f.with.Text
	for _, s := range f.with.Spans {
		s.From, s.To = s.From+from, s.To+from
		f.out.Spans = append(f.out.Spans, s)
	}
}

// keepVariable leaves a variable as it is, and records the reason.
func (f *filler) keepVariable(raw string, why []prompt.MissingRef) {
	f.literal(raw)
	if !slices.ContainsFunc(f.out.Missing, func(m prompt.MissingRef) bool { return m.Reason == why[0].Reason }) {
		f.out.Missing = append(f.out.Missing, why...)
	}
}

// active adds the name of the open note, and reports whether it did. It does not add the name of a private one.
func (f *filler) active(raw string) bool {
	ref := f.with.Active
	if ref.ID == "" {
		f.keepVariable(raw, missingRef(prompt.Ref{}, "missing", raw+": no note is open"+staysText))
		return false
	}
	if _, miss := f.g.read(ref, ref.ID); miss != nil {
		f.keepVariable(raw, missingRef(prompt.Ref{}, miss[0].State, raw+": "+miss[0].Reason))
		return false
	}
	f.pick(linkOf(ref), ref)
	return true
}

// named adds a note or a part of one, tags, or folders.
func (f *filler) named(ctx context.Context, raw, name string) {
	if strings.HasPrefix(name, "[[") {
		m, n := wikilink(name)
		a := answer{miss: notVariable(raw)}
		if n == len(name) {
			a = f.g.readable(ctx, m)
		}
		if a.miss != nil {
			f.keepVariable(raw, a.miss)
			return
		}
		f.pick(name, a.ref)
		return
	}
	var refs []prompt.Ref
	var missing []prompt.MissingRef
	for n := range strings.SplitSeq(name, ",") {
		var a answer
		if n = strings.TrimSpace(n); strings.HasPrefix(n, "#") {
			a = f.g.readable(ctx, mention{raw: n, ref: n, chosen: true})
		} else if ref, ok := f.g.member(n); ok {
			a.ref = ref
		} else {
			a.miss = notVariable(raw)
		}
		if missing = append(missing, a.miss...); a.miss == nil {
			refs = append(refs, a.ref)
		}
	}
	if len(refs) == 0 {
		f.keepVariable(raw, missing)
		return
	}
	f.out.Missing = append(f.out.Missing, missing...)
	f.picks(refs)
}

func notVariable(raw string) []prompt.MissingRef {
	return missingRef(prompt.Ref{}, "unknown", raw+" is no variable and no folder of the vault"+staysText)
}

// readable resolves a mention, and fails if it must not be read.
func (g *Gatherer) readable(ctx context.Context, m mention) answer {
	refs, missing := g.answer(ctx, []mention{m})
	if len(refs) == 0 {
		return answer{miss: missing[:1]}
	}
	if refs[0].Kind == prompt.Note {
		if _, miss := g.read(refs[0], refs[0].ID); miss != nil {
			return answer{miss: miss}
		}
	}
	return answer{ref: refs[0]}
}

// member returns the folder of this name, or the note of a path that ends in .md.
func (g *Gatherer) member(name string) (prompt.Ref, bool) {
	if dir, ok := g.folder(strings.TrimSuffix(name, "/") + "/"); ok && dir != "" {
		return prompt.Ref{Kind: prompt.Folder, ID: string(dir) + "/"}, true
	}
	p, err := vault.ParsePath(name)
	if err != nil || !p.IsNote() {
		return prompt.Ref{}, false
	}
	if _, err := g.vault.Read(p); err != nil {
		return prompt.Ref{}, false
	}
	return prompt.NoteRef(p), true
}

// linkOf returns the text that names a reference in a message.
func linkOf(ref prompt.Ref) string {
	file := ref.Kind == prompt.Note || ref.Kind == prompt.Selection || ref.Kind == prompt.Picture
	name, _, _ := strings.Cut(ref.ID, ".md#")
	switch {
	case ref.Kind == prompt.Tag:
		return ref.ID
	case file && !strings.ContainsAny(ref.ID, "[]|") && !strings.ContainsAny(name, "#^"):
		return "[[" + strings.TrimSuffix(strings.Replace(ref.ID, ".md#", "#", 1), ".md") + "]]"
	case file, strings.ContainsAny(ref.ID, " \t,;:!?()[]'"):
		return `@"` + ref.ID + `"`
	}
	return "@" + ref.ID
}

// variable is a variable in a prompt; the name of "{}" is "".
type variable struct {
	name     string
	from, to int
}

// variables returns the variables of a prompt, in order.
func variables(text string) []variable {
	var found []variable
	var code md.Fences
	offset := 0
	for line := range strings.SplitAfterSeq(text, "\n") {
		bare := strings.TrimRight(line, "\r\n")
		for _, v := range lineVariables(bare, code.Line(bare)) {
			v.from, v.to = v.from+offset, v.to+offset
			found = append(found, v)
		}
		offset += len(line)
	}
	return found
}

// lineVariables returns the variables of a line of text or, with fenced, of code.
func lineVariables(line string, fenced bool) []variable {
	var found []variable
	var spans md.CodeSpans
	span := 0 // end of the code span around i
	for i := 0; i < len(line); {
		rest := line[i:]
		switch {
		case rest[0] == '\\' && !fenced:
			i += min(2, len(rest)) // an escaped character begins no variable
			continue
		case rest[0] == '`' && !fenced && i >= span:
			span = i + spans.Len(rest)
		}
		n := strings.IndexByte(rest, '}')
		if rest[0] != '{' || n < 0 || strings.IndexByte(rest[1:n], '{') >= 0 {
			_, size := utf8.DecodeRuneInString(rest)
			i += size
			continue
		}
		v := variable{strings.TrimSpace(rest[1:n]), i, i + n + 1}
		code := fenced || i < span
		i += n + 1
		alone := strings.TrimSpace(line) == rest[:n+1]
		if v.isUnambiguous() || alone || !code && !belongsToText(line[:v.from]) && !strings.HasPrefix(v.name, `"`) {
			if !strings.HasPrefix(line[v.to:], "}") { // {{a template}}
				found = append(found, v)
			}
		}
	}
	return found
}

// isUnambiguous reports whether a variable has an unambiguous name.
func (v *variable) isUnambiguous() bool {
	return strings.EqualFold(v.name, "activeNote") ||
		strings.HasPrefix(v.name, "[[") && strings.HasSuffix(v.name, "]]") ||
		strings.HasPrefix(v.name, "#") && md.TagLen(v.name[1:]) > 0
}

// belongsToText reports whether braces after this text belong to it, as in \frac{a}{b}, x^{2} and ${name}.
func belongsToText(before string) bool {
	r, _ := utf8.DecodeLastRuneInString(before)
	return !fold.IsDense(r) && (unicode.IsLetter(r) || unicode.IsDigit(r)) ||
		r != 0 && strings.ContainsRune(`\^_$}{%&@`, r)
}
