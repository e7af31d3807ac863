package wire

import (
	_ "embed"
	"strings"
	"sync"

	"ibid/chains"
)

// meaning is that of a failure, with the next step for a person.
type meaning struct {
	said   wordings             // of what Failure.words gives
	unless func(f failure) bool // it means something else all the same; nil is never
	kind   chains.ErrorKind
	code   string // in place of the server's
	later  bool   // the same request may succeed later
	advice string // see Client.word
}

// failuresText lists failures of servers with their meanings.
//
//go:embed failures.txt
var failuresText string

// meanings is failuresText, read when it is first needed: the first that fits decides, and
// the last fits all.
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
				m.kind, m.code, m.later, m.unless = chains.ErrorKind(f[0]), strings.Trim(f[1], "-"), f[2] == "later", unless[f[3]]
			}
		}
		if m.said = compileWordings(words...); m.kind != "" {
			all = append(all, m)
		}
	}
	return all
})

// meaning is the line of the table that fits f, with the numbers of tokens that f names.
func (f *failure) meaning() (m meaning, window, asked int) {
	said, ok := f.words(), false
	for _, m = range meanings() {
		if window, asked, ok = m.said.find(said); ok && (m.unless == nil || !m.unless(*f)) {
			break
		}
	}
	return m, window, asked
}

// What servers call tools, and how they say that they take none.
var toolsRefused = Pattern(
	`(?s)\b(tools?|functions|tool[ _-]?(use|calls?|calling|choice)|function[ _-]?(call|calls|calling))\b.{0,60}\b(not (supported|enabled|available|allowed|permitted)|unsupported|isn't supported|requires? --)|` +
		`\b((do|does|did) ?n[o']t (currently )?support|not configured to support|unsupported|unrecognized|unknown|unexpected|not permitted|not supported|no endpoints found that support)\b.{0,90}\b(tools?|functions|tool[ _-]?(use|calls?|calling|choice)|function[ _-]?(call|calls|calling))\b`)

// takesTools reports whether f does not say that the model, or the server as it was
// started, takes no list of tools. One server says so with status 500.
func takesTools(f failure) bool {
	return namesField(f) || !toolsRefused().MatchString(strings.ToLower(f.Message+"\n"+f.Detail))
}

// comesBack tells a busy minute from a used-up account: a provider that says when to
// come back means the minute.
func comesBack(f failure) bool {
	return f.Status == 429 && f.RetryAfter > 0 && !strings.Contains(f.words(), "insufficient")
}

// minuteNamed finds the numbers in the words about a minute.
var minuteNamed = compileWordings(`limit:? #W,? requested:? #P`)

// fitsMinute reports whether a request is not larger than what the server takes in a
// minute: then waiting helps.
func fitsMinute(f failure) bool {
	limit, asked, ok := minuteNamed.find(f.words())
	return asked <= limit && (ok || !strings.Contains(f.words(), "request too large"))
}
