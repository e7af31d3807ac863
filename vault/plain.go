package vault

import (
	"slices"
	"strings"

	letters "ibid/vault/index/fold"
)

// straightQuotes replaces the quotes that editors set by those of a keyboard.
var straightQuotes = strings.NewReplacer(
	"‘", "'", "’", "'", "‚", "'", "‛", "'",
	"“", `"`, "”", `"`, "„", `"`, "‟", `"`,
)

// plain returns a name as a person types it on any keyboard: in lower case, without accents, with straight quotes.
func plain(name string) string { return straightQuotes.Replace(letters.Name(name)) }

// newPlainTable returns the files of a vault by the plain forms of their bare names, titles and aliases. Excluded
// files are not among them.
func newPlainTable(s *snapshot) pathTable {
	t := pathTable{}
	for _, n := range s.notes {
		t.add(plain(bareName(n.Path)), n.Path)
		t.add(plain(strings.TrimSpace(n.Title)), n.Path)
		for _, a := range n.Aliases {
			t.add(plain(strings.TrimSpace(a)), n.Path)
		}
	}
	for _, p := range s.files {
		t.add(plain(bareName(p)), p)
	}
	return t
}

// byPlainName returns the only file that ref names in its plain form, or "". A path is that of its file; for reading
// it may be the end of that path.
func (s *snapshot) byPlainName(ref string, purpose Purpose) Path {
	p, err := ParsePath(ref)
	if err != nil || p == "" || strings.HasSuffix(ref, "/") {
		return ""
	}
	key := plain(string(p))
	fits := s.plainNames()[plain(bareName(p))]
	if isPath(ref) {
		isWhole := purpose == ToChoose || strings.HasPrefix(ref, "/")
		fits = slices.DeleteFunc(slices.Clone(fits), func(file Path) bool {
			name := plain(string(file))
			if !HasNoteEnding(ref) {
				name = strings.TrimSuffix(name, ".md")
			}
			isEnd := !isWhole && endsWithPath(name, key)
			return name != key && !isEnd
		})
	}
	if len(fits) != 1 {
		return ""
	}
	return fits[0]
}
