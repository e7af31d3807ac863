package book

import (
	"cmp"
	"embed"
	"regexp"
	"slices"
	"strings"

	"ibid/vault/index/stem"
)

//go:embed *.md
var files embed.FS

// Page is the text of the book about a topic.
type Page struct {
	Topic string
	Title string // the heading of the page
	Text  string // markdown, with the heading, without the marks of tables
}

// Topics are the names of the pages, in the order in which they are read.
func Topics() []string {
	return strings.Fields("start attach ask tools writing chats context cost search queries" +
		" providers privacy settings keys scripts editors trouble")
}

// tableMark stands around the tables that are made of the program.
var tableMark = regexp.MustCompile(`(?m)^<!-- .*\n`)

// Find is the page of a topic; ok is false if there is none.
func Find(topic string) (p Page, ok bool) {
	data, err := files.ReadFile(topic + ".md")
	p = Page{Topic: topic, Text: tableMark.ReplaceAllString(string(data), "")}
	first, _, _ := strings.Cut(p.Text, "\n")
	p.Title = strings.TrimPrefix(first, "# ")
	return p, err == nil
}

// JoinLines makes one line of each paragraph and item of a page, to be wrapped at another
// width.
func JoinLines(text string) string {
	var out strings.Builder
	fenced, open := false, false // in a block of code; the line before may go on
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		fence := strings.HasPrefix(line, "```")
		alone := fenced || fence || line == "" || line[0] == '|' || line[0] == '#'
		if open && !alone && !strings.HasPrefix(line, "- ") {
			line = " " + strings.TrimLeft(line, " ")
		} else if out.Len() > 0 {
			line = "\n" + line
		}
		out.WriteString(line)
		fenced, open = fenced != fence, !alone
	}
	return out.String() + "\n"
}

// Definitions is a page for the manual page, below a heading of its own. It makes definitions of the
// rows of tables, which would be too wide for 80 columns: the first cell is what the others
// say something of.
func Definitions(topic string) string {
	page, _ := Find(topic)
	rows := 0
	_, text, _ := strings.Cut(page.Text, "\n") // the title
	var out strings.Builder
	for line := range strings.Lines(strings.ReplaceAll(text, "\n## ", "\n### ")) {
		if !strings.HasPrefix(line, "| ") && !strings.HasPrefix(line, "|-") {
			rows = 0
			out.WriteString(line)
		} else if rows++; rows > 2 {
			cells := strings.Split(strings.Trim(strings.ReplaceAll(line, `\|`, "\x00"), "|\n "), " | ")
			out.WriteString(strings.ReplaceAll(cells[0]+"\n: "+
				strings.Join(slices.DeleteFunc(cells[1:], func(s string) bool {
					return strings.TrimSpace(s) == ""
				}), "; "), "\x00", "|") + "\n\n")
		}
	}
	return out.String()
}

// Hit is a section that words were found in.
type Hit struct {
	Topic   string `json:"topic"`
	Heading string `json:"heading"` // of the section, or the title of the page
	Line    string `json:"line"`    // the first line of it that has one of the words

	found, score int // how many of the words, and how much they count
}

// Search finds the sections that hold most of the words, or words that begin with them, the
// best first: a word in a heading counts as much as ten in the text.
func Search(words string) []Hit {
	wanted := strings.Fields(strings.ToLower(words))
	if telling := slices.DeleteFunc(slices.Clone(wanted), stem.Common); len(telling) > 0 {
		wanted = telling
	}
	for i, word := range wanted { // other forms of a word begin with one of its stems
		for _, short := range stem.Of(word) {
			if len(short) > 3 && strings.HasPrefix(wanted[i], short) {
				wanted[i] = short
			}
		}
	}
	var hits []Hit
	most := 0
	for _, topic := range Topics() {
		page, _ := Find(topic)
		for i, section := range strings.Split(page.Text, "\n## ") {
			heading, text, _ := strings.Cut(strings.TrimPrefix(section, "# "), "\n")
			hit := Hit{Topic: topic, Heading: heading}
			if i == 0 {
				heading += " " + topic
			}
			for _, word := range wanted {
				inTitle, inText := countWord(heading, word), countWord(text, word)
				if hit.score += 10*min(inTitle, 2) + min(inText, 5); inTitle+inText > 0 {
					hit.found++
				}
			}
			if most = max(most, hit.found); hit.found > 0 {
				hit.Line = firstLine(text, wanted)
				hits = append(hits, hit)
			}
		}
	}
	slices.SortStableFunc(hits, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(b.found, a.found), cmp.Compare(b.score, a.score))
	})
	return slices.DeleteFunc(hits, func(h Hit) bool { return h.found < most })
}

// countWord counts the words of a text, in any case, that begin with word.
func countWord(text, word string) (n int) {
	for part := range strings.FieldsFuncSeq(strings.ToLower(text), func(r rune) bool {
		return strings.ContainsRune(" \n`*_|(),.:;?!\"[]/", r)
	}) {
		if strings.HasPrefix(part, word) {
			n++
		}
	}
	return n
}

// firstLine is the first line of a text that holds one of the words, else its first.
func firstLine(text string, words []string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	i := slices.IndexFunc(lines, func(line string) bool {
		return slices.ContainsFunc(words, func(word string) bool { return countWord(line, word) > 0 })
	})
	return strings.TrimSpace(lines[max(i, 0)])
}
