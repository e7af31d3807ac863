package offline

import (
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"
)

// linksIn lists what text links to, in order, once each: wikilinks with their
// heading, markdown links with their address. Code is left out.
func linksIn(text string) []string {
	var out []string
	seen := map[string]bool{}
	keep := func(l string) {
		if l = strings.TrimSpace(l); l != "" && !strings.Contains(l, "\n") && !seen[l] {
			seen[l] = true
			out = append(out, l)
		}
	}
	eachProse(text, func(line string) {
		for rest := line; ; {
			open := strings.IndexAny(rest, "[]")
			if open < 0 {
				return
			}
			rest = rest[open:]
			closer := ""
			switch {
			case strings.HasPrefix(rest, "[["):
				closer = "]]"
			case strings.HasPrefix(rest, "]("):
				closer = ")"
			default:
				rest = rest[1:]
				continue
			}
			end := strings.Index(rest, closer)
			if end < 0 { // nothing further on closes it either
				rest = rest[2:]
				if rest = rest[nextOther(rest, closer):]; rest == "" {
					return
				}
				continue
			}
			target := rest[2:end]
			if closer == "]]" {
				target, _, _ = strings.Cut(target, "|")
				target = "[[" + strings.TrimSuffix(target, `\`) + "]]"
			} else {
				target, _, _ = strings.Cut(target, " ")
				target = "<" + strings.Trim(target, "<>") + ">"
			}
			if len(target) > 4 || closer == ")" && len(target) > 2 {
				keep(target)
			}
			rest = rest[end+len(closer):]
		}
	})
	return out
}

// nextOther is where the next link begins that ends in something else than
// closer, so that a line of openers is not searched to its end for each.
func nextOther(rest, closer string) int {
	opener := "]("
	if closer == ")" {
		opener = "[["
	}
	if i := strings.Index(rest, opener); i >= 0 {
		return i
	}
	return len(rest)
}

// tagsIn lists the inline tags of text, with their '#', as often as they occur.
func tagsIn(text string) []string {
	var out []string
	eachProse(text, func(line string) {
		for i := 0; i < len(line); i++ {
			if line[i] != '#' || i > 0 && line[i-1] != ' ' && line[i-1] != '\t' && line[i-1] != '(' {
				continue
			}
			end, letters := i+1, false
			for end < len(line) {
				r, n := utf8.DecodeRuneInString(line[end:])
				if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && !strings.ContainsRune("-_/", r) {
					break
				}
				letters = letters || !unicode.IsDigit(r)
				end += n
			}
			if letters {
				out = append(out, strings.TrimRight(line[i:end], "/"))
			}
			i = end
		}
	})
	return out
}

// eachProse calls f for the lines of text outside of fences, with the code
// spans of a line left out.
func eachProse(text string, f func(line string)) {
	fence := ""
	for line := range strings.SplitSeq(text, "\n") {
		trimmed := strings.TrimSpace(line)
		if fence != "" {
			if len(trimmed) >= len(fence) && strings.Trim(trimmed, fence[:1]) == "" {
				fence = ""
			}
			continue
		}
		if m := fenceOf(trimmed); m != "" {
			fence = m
			continue
		}
		f(withoutCode(line))
	}
}

func withoutCode(line string) string {
	if !strings.Contains(line, "`") {
		return line
	}
	var b strings.Builder
	for i, part := range strings.Split(line, "`") {
		if i%2 == 0 {
			b.WriteString(part)
		}
		b.WriteByte(' ')
	}
	return b.String()
}

// noteLink is a link to a note, or to a place in it. What a wikilink cannot
// say becomes a markdown link.
func noteLink(target, subpath string) string {
	if strings.ContainsAny(target, "[]|#^\n") {
		address := (&url.URL{Path: target + ".md", Fragment: subpath}).String()
		return "[" + plainLabel(baseName(target)) + "](" + address + ")"
	}
	if subpath != "" {
		target += "#" + subpath
	}
	return "[[" + target + "]]"
}

// headingTarget is a heading as a link names it: without the characters that
// mean something there.
func headingTarget(title string) string {
	title = strings.Map(func(r rune) rune {
		if strings.ContainsRune("[]|#^\n", r) {
			return ' '
		}
		return r
	}, strings.ReplaceAll(title, "%%", " "))
	return strings.Join(strings.Fields(title), " ")
}

// plainLabel is text that may stand between the brackets of a link.
func plainLabel(text string) string {
	text = strings.Map(func(r rune) rune {
		if strings.ContainsRune("[]\n", r) {
			return ' '
		}
		return r
	}, text)
	return strings.Join(strings.Fields(text), " ")
}

// pageLink is a link to a page on the web.
func pageLink(title, address string) string {
	if title = plainLabel(title); title == "" || title == address {
		return "<" + address + ">"
	}
	return "[" + title + "](" + strings.NewReplacer(" ", "%20", "(", "%28", ")", "%29", "\n", "").Replace(address) + ")"
}
