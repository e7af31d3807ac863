package chains

import "ibid/context/prompt"

// filter is what stands between a reply as it comes and what of it is shown. It
// may hold text back until it knows what that is.
type filter struct {
	write func(piece string) string
	close func() string // what was held back and may be shown after all
}

// filters are applied one after the other.
type filters []filter

// replyFilters are those of every reply: notes-to-self are taken out.
func replyFilters() filters {
	var notes prompt.NoteFilter
	return filters{{
		write: notes.Write,
		close: func() string {
			rest, _, _ := notes.Close()
			return rest
		},
	}}
}

func (all filters) write(text string) string {
	for _, f := range all {
		text = f.write(text)
	}
	return text
}

// close ends the reply and returns the rest of it.
func (all filters) close() string {
	rest := ""
	for _, f := range all {
		if rest != "" {
			rest = f.write(rest)
		}
		rest += f.close()
	}
	return rest
}
