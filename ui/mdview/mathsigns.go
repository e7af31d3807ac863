package mdview

import (
	_ "embed"
	"strings"
	"sync"
)

//go:embed mathsigns.txt
var mathTable string

// mathCommands maps a kind and a command of TeX to its text. The table is parsed when the first formula
// is drawn.
var mathCommands = sync.OnceValue(func() map[[2]string]string {
	all := map[[2]string]string{}
	for line := range strings.Lines(mathTable) {
		if f := strings.Split(strings.TrimRight(line, "\r\n"), "\t"); len(f) == 3 {
			all[[2]string{f[0], f[1]}] = strings.ReplaceAll(f[2], `\n`, "\n")
		}
	}
	return all
})

// mathCommand returns the text for a command, or a character, of a kind.
func mathCommand(kind, name string) (text string, ok bool) {
	text, ok = mathCommands()[[2]string{kind, name}]
	return text, ok
}
