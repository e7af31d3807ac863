package vault

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"ibid/vault/md"
)

// Limits so that a malicious file does not cost more time than its length justifies.
const (
	maxLabel   = 2 << 10 // bytes between the brackets of a markdown link
	maxDest    = 4 << 10 // bytes of the destination of a link
	maxTagHTML = 1 << 10 // bytes of an HTML tag
	maxNesting = 4       // levels of links inside the text of links
)

// inline records the links and tags in text[start:end], which starts on line.
func (s *scanner) inline(start, end, line, depth int) {
	in := inlineScanner{scanner: s, end: end, line: line, lineStart: start, depth: depth}
	if depth > 0 {
		in.lineStart = -1
	}
	for i := start; i < end; {
		i = in.step(i)
	}
}

// inlineScanner scans one stretch of text.
type inlineScanner struct {
	*scanner
	end       int
	line      int
	lineStart int // offset at which the text of the current line starts, -1 if before start
	depth     int
	spans     md.CodeSpans
	noParen   bool // no ')' follows
	noHTML    bool // no "-->" follows
	noClose   int  // no ']' occurs before this offset
}

// plainBytes are bytes without a meaning for the inline pass, which skips them.
var plainBytes = func() (t [256]bool) {
	for i := range t {
		t[i] = !strings.ContainsRune("\n\\`%<[!#", rune(i)) || i >= utf8.RuneSelf
	}
	return t
}()

// step handles the construct at offset i and returns the offset at which to continue.
func (in *inlineScanner) step(i int) int {
	text := in.text
	for i < in.end && plainBytes[text[i]] {
		i++
	}
	if i == in.end {
		return i
	}
	switch text[i] {
	case '\n':
		return in.newline(i)
	case '\\':
		if i+1 < in.end && text[i+1] < utf8.RuneSelf && text[i+1] != '\n' {
			return i + 2
		}
		return i + 1
	case '`':
		return in.code(i)
	case '%':
		return in.percent(i)
	case '<':
		return in.html(i)
	case '[':
		return in.bracket(i, false)
	case '!':
		if i+1 < in.end && text[i+1] == '[' {
			return in.bracket(i+1, true)
		}
		return i + 1
	}
	return in.hash(i)
}

// newline skips to the next line, behind the quote marks at its start.
func (in *inlineScanner) newline(i int) int {
	in.line++
	i++
	for i < in.end && (in.text[i] == ' ' || in.text[i] == '\t' || in.text[i] == '>') {
		i++
	}
	in.lineStart = i
	return i
}

// skipTo returns to, and counts the lines between from and to.
func (in *inlineScanner) skipTo(from, to int) int {
	if n := strings.Count(in.text[from:to], "\n"); n > 0 {
		in.line += n
		in.lineStart = -1
	}
	return to
}

// code skips a span of code, or its opening mark if nothing closes it.
func (in *inlineScanner) code(i int) int {
	return in.skipTo(i, i+in.spans.Len(in.text[i:in.end]))
}

// percent opens or closes a comment. Links and tags in comments count; only the headings in comments do not.
func (in *inlineScanner) percent(i int) int {
	n := i
	for n < in.end && in.text[n] == '%' {
		n++
	}
	if n-i != 2 {
		return n
	}
	if in.comment {
		in.comment = false
	} else if !in.missing.comment {
		in.comment = strings.Contains(in.text[n:], "%%")
		in.missing.comment = !in.comment
	}
	return n
}

// html skips a tag or a comment of HTML, or a <link>.
func (in *inlineScanner) html(i int) int {
	text := in.text[:in.end]
	if strings.HasPrefix(text[i:], "<!--") {
		if in.noHTML {
			return i + 4
		}
		if k := strings.Index(text[i+4:], "-->"); k >= 0 {
			return in.skipTo(i, i+4+k+3)
		}
		in.noHTML = true
		return i + 4
	}
	if i+1 == len(text) || text[i+1] != '/' && !isLetter(text[i+1]) {
		return i + 1
	}
	if k := strings.IndexByte(text[i:min(len(text), i+maxTagHTML)], '>'); k > 0 {
		return in.skipTo(i, i+k+1)
	}
	return i + 1
}

// hash reads a tag: a '#' at the start of a line or after white space.
func (in *inlineScanner) hash(i int) int {
	if i != in.lineStart {
		if r, _ := utf8.DecodeLastRuneInString(in.text[:i]); !unicode.IsSpace(r) {
			return i + 1
		}
	}
	n := md.TagLen(in.text[i+1 : in.end])
	if n == 0 {
		return i + 1
	}
	in.tags.add(in.text[i+1 : i+1+n])
	return i + 1 + n
}

// bracket reads a wikilink or a markdown link.
func (in *inlineScanner) bracket(i int, embed bool) int {
	if i+1 < in.end && in.text[i+1] == '[' {
		inner, n := md.Wikilink(in.text[i:in.end])
		kind := Wikilink
		if embed {
			kind = Embed
		}
		if inner != "" {
			if l, ok := parseWikilink(kind, inner); ok {
				in.add(l)
			}
		}
		return i + n
	}
	label, dest, end, ok := in.markdownLink(i)
	if !ok {
		return i + 1
	}
	if l, ok := parseMarkdownLink(embed, in.text[i+1:label], dest); ok {
		in.add(l)
	}
	if embed && isPictureURL(dest) {
		in.note.Images = true
	}
	if in.depth < maxNesting && !embed {
		in.inline(i+1, label, in.line, in.depth+1)
	}
	return in.skipTo(i, end)
}

// add records a link on the current line.
func (in *inlineScanner) add(l Link) {
	l.Line = in.line
	in.note.links = append(in.note.links, l)
	if l.Kind == Embed && IsPicture(l.Target) {
		in.note.Images = true
	}
}

// parseWikilink splits "path#subpath|display".
func parseWikilink(kind LinkKind, inner string) (Link, bool) {
	target, display := md.Target(inner)
	target, sub, _ := strings.Cut(target, "#")
	l := Link{Kind: kind, Target: strings.TrimSpace(target), Subpath: strings.TrimSpace(sub), Display: display}
	return l, l.Target != "" || l.Subpath != ""
}

// markdownLink parses [label](dest "title") at i. label is the offset of the closing bracket, end the offset
// behind the link.
func (in *inlineScanner) markdownLink(i int) (label int, dest string, end int, ok bool) {
	label, ok = in.closingBracket(i)
	if !ok || label+1 >= in.end || in.text[label+1] != '(' || in.noParen {
		return 0, "", 0, false
	}
	text := in.text[:in.end]
	k := skipSpace(text, label+2)
	if strings.HasPrefix(text[min(k, len(text)):], "[[") {
		return 0, "", 0, false // [label]([[Note]]) is a wikilink in parentheses
	}
	dest, k, ok = in.destination(k)
	if !ok {
		return 0, "", 0, false
	}
	k = skipSpace(text, k)
	if k < len(text) && (text[k] == '"' || text[k] == '\'') && isSpace(text[k-1]) {
		n := strings.IndexByte(text[k+1:min(len(text), k+maxLabel)], text[k])
		if n < 0 {
			return 0, "", 0, false
		}
		k = skipSpace(text, k+n+2)
	}
	if k >= len(text) || text[k] != ')' {
		return 0, "", 0, false
	}
	return label, dest, k + 1, true
}

// closingBracket returns the offset of the ']' that belongs to the '[' at i.
func (in *inlineScanner) closingBracket(i int) (int, bool) {
	limit := min(in.end, i+maxLabel)
	if from := max(i, in.noClose); from >= limit || strings.IndexByte(in.text[from:limit], ']') < 0 {
		in.noClose = max(limit, in.noClose)
		return 0, false
	}
	depth := 0
	for k := i; k < limit; k++ {
		switch in.text[k] {
		case '\\':
			k++
		case '[':
			depth++
		case ']':
			if depth--; depth == 0 {
				return k, true
			}
		}
	}
	return 0, false
}

// destination parses a link's destination at k: in angle brackets, or up to white space or the parenthesis that
// closes the link.
func (in *inlineScanner) destination(k int) (dest string, end int, ok bool) {
	text := in.text[:in.end]
	if k < len(text) && text[k] == '<' {
		n := strings.IndexAny(text[k+1:min(len(text), k+maxDest)], ">\n")
		if n < 0 || text[k+1+n] == '\n' {
			return "", 0, false
		}
		return text[k+1 : k+1+n], k + n + 2, true
	}
	if strings.HasPrefix(text[min(k, len(text)):], "data:") {
		n := strings.IndexByte(text[k:], ')')
		if n < 0 {
			in.noParen = true
			return "", 0, false
		}
		return text[k : k+n], k + n, true
	}
	depth := 0
	for j := k; j < min(len(text), k+maxDest); j++ {
		switch c := text[j]; {
		case c == '\\':
			j++
		case c == '(':
			depth++
		case c == ')' && depth > 0:
			depth--
		case c == ')' || isSpace(c):
			return text[k:j], j, true
		}
	}
	return "", 0, false
}

// parseMarkdownLink makes a Link of a markdown link. Links that leave the vault are not recorded, except remote
// images.
func parseMarkdownLink(embed bool, label, dest string) (Link, bool) {
	l := Link{Kind: Markdown, Display: strings.TrimSpace(label)}
	if embed {
		l.Kind = Embed
	}
	if scheme.MatchString(dest) {
		l.Target = dest
		return l, embed && !strings.HasPrefix(dest, "data:")
	}
	target, sub, _ := strings.Cut(escaped.ReplaceAllString(dest, "$1"), "#")
	l.Target, l.Subpath = md.Unescape(target), md.Unescape(sub)
	return l, l.Target != "" || l.Subpath != ""
}

// isPictureURL reports whether an embed's destination is a remote image or an image in a data URL.
func isPictureURL(dest string) bool {
	return md.StartsURL(dest) || strings.HasPrefix(dest, "data:image/")
}

// escaped matches an escape of markdown: a backslash and the sign that it takes the meaning from.
var escaped = regexp.MustCompile("\\\\([!-/:-@[-`{-~])")

// LeavesVault reports whether the link leads out of the vault. A wikilink always leads to a note.
func (l *Link) LeavesVault() bool {
	return l.Kind != Wikilink && l.Kind != Frontmatter && scheme.MatchString(l.Target)
}

// scheme matches the beginning of a URL: a scheme of at least two letters and a colon.
var scheme = regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9+.-]+:`)

func isLetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' }

func skipSpace(text string, i int) int {
	for i < len(text) && isSpace(text[i]) {
		i++
	}
	return i
}
