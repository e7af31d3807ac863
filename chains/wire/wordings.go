package wire

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// wordings are several ways to say the same. #W and #P in them stand for numbers of tokens: what the model takes,
// and what was requested.
type wordings func() []*regexp.Regexp

// compileWordings compiles wordings on first use, because most runs of the program see no error.
func compileWordings(exprs ...string) wordings {
	numbers := strings.NewReplacer(`#W`, `(?P<window>\d[\d,_]*)`, `#P`, `(?P<prompt>\d[\d,_]*)`)
	return sync.OnceValue(func() (all []*regexp.Regexp) {
		for _, expr := range exprs {
			all = append(all, regexp.MustCompile(`(?is)`+numbers.Replace(expr)))
		}
		return all
	})
}

// find reports whether text contains one of the wordings. It returns the numbers in the first one, 0 for those that
// it does not have.
func (w wordings) find(text string) (window, prompt int, ok bool) {
	for _, words := range w() {
		m := words.FindStringSubmatch(text)
		if m == nil {
			continue
		}
		for i, name := range words.SubexpNames() {
			count, err := strconv.Atoi(strings.NewReplacer(",", "", "_", "").Replace(m[i]))
			switch {
			case err != nil || count > 1<<31-1:
			case name == "window":
				window = count
			case name == "prompt":
				prompt = count
			}
		}
		return window, prompt, true
	}
	return 0, 0, false
}
