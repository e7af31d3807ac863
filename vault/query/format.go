package query

import (
	"strings"
	"time"
	"unicode"

	"ibid/vault/dates"
)

// formatParts are pairs of a part of a format of dateformat and the same part in a format of Moment.
var formatParts = strings.Fields(`yyyy YYYY y Y yy YY q Q kkkk GGGG WW WW W W ooo DDDD o DDD MMMM MMMM MMM MMM MM MM M M
	LLLL MMMM LLL MMM LL MM L M dd DD d D EEEE dddd EEE ddd E E cccc dddd ccc ddd c E
	HH HH H H hh hh h h mm mm m m ss ss s s a A T HH:mm`)

// formatDate formats t by a format of dateformat, such as "yyyy-MM-dd". Unknown letters give an error instead
// of a wrong date.
func formatDate(t time.Time, format string) any {
	var b strings.Builder
	for rest := format; rest != ""; {
		n := 1
		switch c := rest[0]; {
		case c == '\'':
			text, _, ok := strings.Cut(rest[1:], "'")
			if !ok {
				return unsupportedError(format, "a quote in the format of a date has no end")
			}
			b.WriteString(text)
			n = len(text) + 2
		case unicode.IsLetter(rune(c)):
			n = max(1, len(rest)-len(strings.TrimLeft(rest, string(rune(c)))))
			at := 0
			for at < len(formatParts) && formatParts[at] != rest[:n] {
				at += 2
			}
			if at == len(formatParts) {
				return unsupportedError(rest[:n], "this part of the format of a date is not known")
			}
			b.WriteString(dates.Format(formatParts[at+1], t))
		default:
			b.WriteByte(c)
		}
		rest = rest[n:]
	}
	return b.String()
}
