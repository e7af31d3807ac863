package vault

import (
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"ibid/vault/md"
)

// The rule about private notes, for every reader of notes:
//
//   - A property "private" makes a note private, whatever its value is, except false, no, off, 0, null and
//     nothing. The value may be a word, a list, a map, an alias. Of several such properties one is enough.
//   - The name of the property counts in any case, in quotes, with invisible characters in it, and inside of
//     another property, unless one at the top says no.
//   - Properties count in YAML, TOML, JSON and Logseq's form, also if they cannot be parsed, have no end, or
//     stand behind comments, blank lines and invisible characters. Then any line that sets private counts.
//
// A mark that is not plainly "private: true" is read generously: Note.PrivateBecause quotes it, for a person who
// wonders why a note is not sent.

// privateName is the name of the property.
const privateName = "private"

// markPrivate records that the note is private, and why that was read so generously.
func (n *Note) markPrivate(because string) {
	if !n.Private {
		n.Private = true
		n.PrivateBecause = md.Clip(because, longestReason)
	}
}

// longestReason limits the characters of Note.PrivateBecause.
const longestReason = 120

// readPrivateFields looks for the mark in properties that were parsed.
func (n *Note) readPrivateFields(fields []field) {
	denied := false
	for i := range fields {
		f := &fields[i]
		switch {
		case visibleText(strings.ToLower(f.key)) != privateName:
		case f.value.isNo():
			denied = true
		case f.value.isYes():
			n.Private = true
		default:
			n.markPrivate("its property private is " + f.value.describe())
		}
	}
	if denied || n.Private {
		return
	}
	for i := range fields {
		if fields[i].value.containsPrivate(0) {
			n.markPrivate("the property private is inside of " + fields[i].key)
		}
	}
}

// isYes reports whether n is true in one of the usual ways to write it.
func (n *node) isYes() bool {
	if n.shape != scalarShape {
		return false
	}
	switch strings.ToLower(visibleText(n.text)) {
	case "true", "yes", "on", "y", "1":
		return true
	}
	return false
}

// isNo reports whether n says no, or nothing.
func (n *node) isNo() bool {
	if n.shape != scalarShape {
		return len(n.items) == 0
	}
	return saysNo(n.text)
}

// saysNo reports whether a value is false, no, off, 0, null or nothing.
func saysNo(value string) bool {
	switch strings.ToLower(visibleText(value)) {
	case "", "false", "no", "off", "0", "null", "~":
		return true
	}
	return false
}

// describe names the value for a person.
func (n *node) describe() string {
	switch n.shape {
	case listShape:
		return "a list"
	case mapShape:
		return "a map"
	}
	return `"` + strings.TrimSpace(n.text) + `"`
}

// containsPrivate reports whether a map in n has a property private that does not say no.
func (n *node) containsPrivate(depth int) bool {
	if depth > maxDepth {
		return false
	}
	for i := range n.items {
		item := &n.items[i]
		named := n.shape == mapShape && visibleText(strings.ToLower(n.keys[i])) == privateName
		if named && !item.isNo() || item.containsPrivate(depth+1) {
			return true
		}
	}
	return false
}

// visibleText returns text without invisible characters and without white space around it.
func visibleText(text string) string { return strings.TrimSpace(withoutInvisible(text)) }

// withoutInvisible removes characters that have no width, and turns white space of other kinds into blanks.
func withoutInvisible(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t', r == '\n':
			return r
		case strings.ContainsRune("\v\f\u0085\u2028\u2029", r):
			return '\n' // YAML and programs that write it break lines there
		case unicode.Is(unicode.Cf, r):
			return -1
		case unicode.IsSpace(r):
			return ' '
		}
		return r
	}, text)
}

// The lines that set private. privateLine matches one in a block of properties, where even the sign between name
// and value may be missing; privateSetting matches one that has it, where the block may be ordinary text.
var (
	privateLine = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?im)` + lineBeginning + `(?:[ \t]*[:=：]+|[ \t]|$)(.*)$|` + privateInBraces + `|` + privateTable)
	})
	privateSetting = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?im)` + lineBeginning + `[ \t]*[:=：]+(.*)$|` + privateInBraces + `|` + privateTable)
	})
)

const (
	// lineBeginning matches the name at the beginning of a line, also as the last part of a name with dots.
	lineBeginning = `^[ \t"'?{]*(?:[\w-]+\.)*["']?private["']*`

	// privateInBraces matches the setting among several on one line, privateTable the name of a table of TOML.
	privateInBraces = `[{,][ \t]*["']?private["']?[ \t]*[:=]([^,}\n]*)`
	privateTable    = `^[ \t]*\[+[ \t]*["']?private["']?[ \t]*\]`
)

// lineThatSetsPrivate returns the first match of re in block that does not say no, "" if there is none. A line
// without a value sets private here: the value may stand on the next line.
func lineThatSetsPrivate(re *regexp.Regexp, block string) string {
	for _, m := range re.FindAllStringSubmatch(withoutInvisible(block), -1) {
		if !lineSaysNo(m[1] + m[2]) {
			return strings.TrimSpace(m[0])
		}
	}
	return ""
}

// lineSaysNo reports whether the rest of a line, behind the name of the property, says no.
func lineSaysNo(value string) bool {
	if at := strings.Index(value, " #"); at >= 0 {
		value = value[:at]
	}
	value = strings.TrimSpace(value)
	switch value {
	case "":
		return false
	case "[]", "{}":
		return true
	}
	return saysNo(strings.Trim(strings.TrimRight(value, ",;} \t"), "\"'` \t"))
}

// readPrivateLines looks for the mark in the lines of a block that could not be parsed.
func (n *Note) readPrivateLines(block string) {
	if line := lineThatSetsPrivate(privateLine(), block); line != "" {
		n.markPrivate("the properties cannot be parsed, and one line is: " + line)
	}
}

// readPrivateRest looks for the mark in lines of properties that the parser did not see as such: those of a second
// document in the block, which begins with a line of dots.
func (n *Note) readPrivateRest(block string) {
	if n.Private || !strings.Contains(block, "\n...") {
		return
	}
	if line := lineThatSetsPrivate(privateSetting(), block); line != "" {
		n.markPrivate("one line of the properties is: " + line)
	}
}

// readPrivateHead looks for the mark at the beginning of a text that has no properties as Obsidian wants them, or
// empty ones, which end at the offset body: then others may follow, and the end of the first begins them.
func (n *Note) readPrivateHead(text string, body int) {
	if body > 0 {
		next := fencedProperties(text[body:], '-')
		next.isText = true
		if next.isClosed {
			n.readPrivateBlock(&next)
		}
		text = text[body:]
	}
	if mayHideProperties(text) {
		rest, commented := skipComments(text)
		head := oddProperties(rest)
		head.isText = head.isText || commented
		n.readPrivateBlock(&head)
	}
}

// readPrivateBlock looks for the mark in a block of properties that Obsidian does not see as such.
func (n *Note) readPrivateBlock(b *propertyBlock) {
	const unusual = "its properties do not stand between two lines of three dashes at the beginning"
	if b.isClosed && !b.isTOML {
		fields, err := yamlFields(b.text)
		if err == nil && len(fields) > 0 {
			n.readPrivateFields(fields)
			if n.Private && n.PrivateBecause == "" {
				n.PrivateBecause = unusual
			}
		}
	}
	if n.Private {
		return
	}
	lines := privateLine()
	if b.isText {
		lines = privateSetting()
	}
	if line := lineThatSetsPrivate(lines, b.text); line != "" {
		n.markPrivate(unusual + ", and one line is: " + line)
	}
}

// mayHideProperties reports whether the first visible character of a text may begin a comment or properties.
func mayHideProperties(text string) bool {
	text = strings.TrimLeftFunc(text, isBlank)
	first, _ := utf8.DecodeRuneInString(text)
	return strings.ContainsRune(`+;#%<{/`, first) || isDash(first) || logseqLine().MatchString(text)
}

// isBlank reports whether nothing of r is seen.
func isBlank(r rune) bool { return unicode.IsSpace(r) || unicode.Is(unicode.Cf, r) }

// skipComments returns the text behind blank lines, HTML and Obsidian comments, and lines that are comments in
// YAML, TOML or JSON. commented says that there was a line of the last kind, which may be a heading.
func skipComments(text string) (rest string, commented bool) {
	for {
		text = strings.TrimLeftFunc(text, isBlank)
		switch {
		case strings.HasPrefix(text, "<!--"):
			text = behind(text[len("<!--"):], "-->")
		case strings.HasPrefix(text, "%%"):
			text = behind(text[len("%%"):], "%%")
		case strings.HasPrefix(text, "/*"):
			text = behind(text[len("/*"):], "*/")
		case strings.HasPrefix(text, "#"), strings.HasPrefix(text, "%"), strings.HasPrefix(text, "//"):
			text = behind(text, "\n")
			commented = true
		default:
			return text, commented
		}
	}
}

// behind returns the text behind the first mark, "" if there is none.
func behind(text, mark string) string {
	_, rest, _ := strings.Cut(text, mark)
	return rest
}

// propertyBlock is the text of properties that are marked in another way than YAML between lines of three dashes.
type propertyBlock struct {
	text     string
	isClosed bool // it has an end; without one it is the rest of the note
	isTOML   bool
	isText   bool // it may be ordinary text, so that only a whole setting counts
}

// oddProperties returns the properties that a text begins with, an empty block if there are none.
func oddProperties(text string) propertyBlock {
	first, rest, _ := strings.Cut(text, "\n")
	switch fence := fenceOf(first); {
	case fence != 0:
		b := fencedProperties(rest, fence)
		b.isText = !strings.HasPrefix(first, "---")
		return b
	case strings.HasPrefix(first, "{"):
		return jsonProperties(text)
	case logseqLine().MatchString(first):
		return propertyBlock{text: logseqProperties(text), isClosed: true}
	}
	return propertyBlock{}
}

// fencedProperties returns the properties in front of the next fence.
func fencedProperties(text string, fence rune) propertyBlock {
	b := propertyBlock{text: text, isTOML: fence == '+'}
	for at := 0; at < len(text); {
		line, _, _ := strings.Cut(text[at:], "\n")
		if fenceOf(line) == fence {
			b.text, b.isClosed = text[:at], true
			return b
		}
		at += len(line) + 1
	}
	return b
}

// fenceOf returns the sign of a line of pluses, semicolons or dashes, as programs put around properties; 0 for any
// other line. Telephones turn three dashes into other ones, which count as '-'.
func fenceOf(line string) rune {
	line = visibleText(line)
	if len(line) < len("---") {
		return 0
	}
	for _, sign := range "+;" {
		if strings.Trim(line, string(sign)) == "" {
			return sign
		}
	}
	if strings.TrimFunc(line, isDash) == "" {
		return '-'
	}
	return 0
}

func isDash(r rune) bool { return unicode.Is(unicode.Pd, r) }

// jsonProperties returns the text up to the line that ends the object that it begins with.
func jsonProperties(text string) propertyBlock {
	b := propertyBlock{text: text, isText: true}
	for at := 0; at < len(text); {
		line, _, _ := strings.Cut(text[at:], "\n")
		at = min(at+len(line)+1, len(text))
		if strings.HasSuffix(strings.TrimSpace(line), "}") {
			b.text, b.isClosed = text[:at], true
			return b
		}
	}
	return b
}

// logseqLine matches a property of Logseq.
var logseqLine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(- )?[\pL\pN_./-]+::(\s|$)`) })

// logseqProperties returns the properties of Logseq that a text begins with, as YAML.
func logseqProperties(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if !logseqLine().MatchString(line) {
			break
		}
		b.WriteString(strings.Replace(strings.TrimPrefix(line, "- "), "::", ":", 1))
	}
	return b.String()
}
