package cite

import "strings"

// SentMarks are the marks in the texts that were sent to a model. In a reply they are quotations, and refer to none
// of the sources. The zero value has none.
type SentMarks struct {
	footnotes   map[int]bool
	definitions map[int][]string
	bare        map[int]bool // marks without their sign
}

// Add adds the marks in a text.
func (s *SentMarks) Add(text string) {
	if s.footnotes == nil {
		s.footnotes, s.definitions, s.bare = map[int]bool{}, map[int][]string{}, map[int]bool{}
	}
	for rest := text; rest != ""; {
		at := strings.IndexAny(rest, "[(【［（")
		if at < 0 {
			break
		}
		rest = rest[at:]
		m, result := readMark(rest)
		if result != isWhole {
			rest = rest[1:]
			continue
		}
		for _, n := range m.numbers {
			if m.form == signedForm {
				s.footnotes[n] = true
			} else {
				s.bare[n] = true
			}
		}
		rest = rest[m.to:]
	}
	if !strings.Contains(text, "]:") {
		return
	}
	for _, def := range parse(text).definitions {
		s.definitions[def.number] = append(s.definitions[def.number], def.link)
	}
}

// Footnote reports whether a text has a footnote with this number.
func (s *SentMarks) Footnote(number int) bool { return s.footnotes[number] }

// Bare reports whether a text has a mark with this number without its sign.
func (s *SentMarks) Bare(number int) bool { return s.bare[number] }

// Defines reports whether a text defines a footnote with this number.
func (s *SentMarks) Defines(number int) bool { return len(s.definitions[number]) > 0 }

// DefinesAs reports whether a text defines a footnote in these words.
func (s *SentMarks) DefinesAs(number int, words string) bool {
	for _, as := range s.definitions[number] {
		if as == words {
			return true
		}
	}
	return false
}
