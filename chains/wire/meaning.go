package wire

import (
	_ "embed"
	"strings"
	"sync"

	"ibid/chains"
)

// meaning is the meaning of a failure, with advice for the person.
type meaning struct {
	said   wordings             // wordings, for failure.words
	unless func(f failure) bool // it does not apply if this returns true; may be nil
	kind   chains.ErrorKind
	code   string // replaces the server's code, unless ""
	later  bool   // the same request may succeed later
	advice string // line for the person, see Client.fillLine
}

// failuresText is the table of the wordings of failures with their meanings.
//
//go:embed failures.txt
var failuresText string

// meanings returns the parsed failuresText. The first meaning that applies is used, and the last one always
// applies.
var meanings = sync.OnceValue(func() (all []meaning) {
	unless := map[string]func(failure) bool{"takesTools": takesTools, "comesBack": comesBack, "fitsMinute": fitsMinute}
	for block := range strings.SplitSeq(failuresText, "\n\n") {
		var m meaning
		var words []string
		for line := range strings.SplitSeq(strings.TrimSpace(block), "\n") {
			switch mark, rest, _ := strings.Cut(line, " "); mark {
			case "#":
			case "?":
				words = append(words, rest)
			case ">":
				m.advice = rest
			default:
				f := strings.Fields(line)
				m.kind, m.code, m.later, m.unless = chains.ErrorKind(f[0]), strings.Trim(f[1], "-"),
					f[2] == "later", unless[f[3]]
			}
		}
		if m.said = compileWordings(words...); m.kind != "" {
			all = append(all, m)
		}
	}
	return all
})

// meaning returns the meaning of f, with the numbers of tokens that f names, 0 if it names none.
func (f *failure) meaning() (m meaning, window, asked int) {
	said, ok := f.words(), false
	for _, m = range meanings() {
		if window, asked, ok = m.said.find(said); ok && (m.unless == nil || !m.unless(*f)) {
			break
		}
	}
	return m, window, asked
}

// Words of servers for tools, and phrases with which they refuse them.
var toolsRefused = Pattern(
	`(?s)\b(tools?|functions|tool[ _-]?(use|calls?|calling|choice)|function[ _-]?(call|calls|calling))\b.{0,60}\b(not (supported|enabled|available|allowed|permitted)|unsupported|isn't supported|requires? --)|` +
		`\b((do|does|did) ?n[o']t (currently )?support|not configured to support|unsupported|unrecognized|unknown|unexpected|not permitted|not supported|no endpoints found that support)\b.{0,90}\b(tools?|functions|tool[ _-]?(use|calls?|calling|choice)|function[ _-]?(call|calls|calling))\b`)

// takesTools reports whether f does not say that the model, or the server as it was started, takes no list of
// tools. One server says so with status 500.
func takesTools(f failure) bool {
	return namesField(f) || !toolsRefused().MatchString(strings.ToLower(f.Message+"\n"+f.Detail))
}

// comesBack reports whether a limit per minute was reached, and the account is not used up: then the provider says
// when to come back.
func comesBack(f failure) bool {
	return f.Status == 429 && f.RetryAfter > 0 && !strings.Contains(f.words(), "insufficient")
}

// minuteNamed finds the numbers in messages about a limit per minute.
var minuteNamed = compileWordings(`limit:? #W,? requested:? #P`)

// fitsMinute reports whether a request is within the server's limit per minute, so that waiting helps.
func fitsMinute(f failure) bool {
	limit, asked, ok := minuteNamed.find(f.words())
	return asked <= limit && (ok || !strings.Contains(f.words(), "request too large"))
}
