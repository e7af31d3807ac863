package md

import (
	"regexp"
	"strings"
)

// htmlBlock is the end of a block of HTML: a line with this text in lower case, or, if it is "\n", the line before a
// blank one.
type htmlBlock string

const (
	noHTML  htmlBlock = ""
	rawHTML htmlBlock = "</" // ends at the end tag of any element whose content is not parsed
)

// htmlTags are the tags of blocks that end at a blank line.
var htmlTags = func() map[string]bool {
	tags := map[string]bool{}
	for _, tag := range strings.Fields(`address article aside base basefont blockquote body caption center col
		colgroup dd details dialog dir div dl dt fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5
		h6 head header hr html iframe legend li link main menu menuitem nav noframes ol optgroup option p param
		search section summary table tbody td tfoot th thead title tr track ul`) {
		tags[tag] = true
	}
	return tags
}()

var (
	rawEnd    = regexp.MustCompile(`(?i)</(?:pre|script|style|textarea)>`)
	htmlTag   = regexp.MustCompile(`^</?([a-zA-Z][a-zA-Z0-9-]*)(?:[ \t]|/?>|$)`)
	htmlWhole = regexp.MustCompile(
		`^(?:<[a-zA-Z][a-zA-Z0-9-]*(?:[ \t]+[a-zA-Z_:][a-zA-Z0-9_.:-]*(?:[ \t]*=[ \t]*(?:[^ \t"'=<>` + "`" +
			`]+|'[^']*'|"[^"]*"))?)*[ \t]*/?>|</[a-zA-Z][a-zA-Z0-9-]*[ \t]*>)[ \t]*$`)
)

// htmlBlockOf returns the kind of the block of HTML that an unindented line begins. In a paragraph, a line with a
// single other tag begins none.
func htmlBlockOf(line string, paragraph bool) htmlBlock {
	if len(line) < 2 || line[0] != '<' {
		return noHTML
	}
	switch c := line[1] | 0x20; {
	case strings.HasPrefix(line, "<!--"):
		if strings.Contains(line, "-->") {
			return "-->"
		}
		return noHTML
	case strings.HasPrefix(line, "<![CDATA["):
		return "]]>"
	case strings.HasPrefix(line, "<?"):
		return "?>"
	case line[1] == '!' && len(line) > 2 && 'a' <= line[2]|0x20 && line[2]|0x20 <= 'z':
		return ">"
	case line[1] != '/' && (c < 'a' || c > 'z'):
		return noHTML
	}
	m := htmlTag.FindStringSubmatch(line)
	if m != nil {
		switch tag := strings.ToLower(m[1]); tag {
		case "pre", "script", "style", "textarea":
			if line[1] == '/' {
				return noHTML
			}
			return rawHTML
		default:
			if htmlTags[tag] {
				return "\n"
			}
		}
	}
	if !paragraph && htmlWhole.MatchString(line) {
		return "\n"
	}
	return noHTML
}

// closing returns a line that ends the block, which begins with the line first.
func (h htmlBlock) closing(first string) string {
	switch h {
	case "\n":
		return ""
	case rawHTML:
		return "</" + strings.ToLower(htmlTag.FindStringSubmatch(first)[1]) + ">"
	}
	return string(h)
}

// ends reports whether line is the last of the block, or the blank line after a block that ends there.
func (h htmlBlock) ends(line string) bool {
	switch h {
	case "\n":
		return strings.Trim(line, " \t") == ""
	case rawHTML:
		return rawEnd.MatchString(line)
	}
	return strings.Contains(strings.ToLower(line), string(h))
}
