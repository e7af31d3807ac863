package prompt

import (
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ibid/vault/vaulttest"
)

// TestSplitNote runs the table of replies (S4-07, S4-10, S4-23..S4-25, K26, K27).
func TestSplitNote(t *testing.T) {
	for _, row := range vaulttest.Rows(t, "split.txt", 4) {
		visible, note, found := SplitNote(row[1])
		if visible != row[2] || found != (row[3] != "-") || found && note != row[3] {
			t.Errorf("%s: %q gave %q and note %q (%v)", row[0], row[1], visible, note, found)
		}
		checkFilter(t, row[1], nil)
	}
}

// splitWhole does the same as NoteFilter in another way: on the whole reply, reading all lines
// so far again at each place where a note can begin.
func splitWhole(reply string) (visible, note string, found bool) {
	seen := ""
	for i := 0; i < len(reply); {
		start := openingWithin
		if at := strings.LastIndexByte(seen, '\n') + 1; strings.Trim(seen[at:], " \t") == "" {
			start = openingOfLine
		}
		m := start.FindStringSubmatch(reply[i:])
		if m == nil || i > 0 && reply[i-1] == '`' || inCode(seen+m[1]) {
			seen += reply[i : i+1]
			i++
			continue
		}
		signs, from := m[1], i+len(m[0])
		margin := " \t\r"
		if strings.Contains(signs, ">") {
			margin += ">"
		}
		end, depth := from, 1
		for ; end < len(reply); end++ {
			if depth += strings.Count(reply[end:end+1], "[") - strings.Count(reply[end:end+1], "]"); depth == 0 {
				break
			}
		}
		closed := end < len(reply)
		if at := regexp.MustCompile(`\n[` + margin + `]*\n`).FindStringIndex(reply[from:end]); at != nil && !closed {
			end = from + at[0]
		}
		lines := strings.Split(reply[from:end], "\n")
		for i := 1; i < len(lines); i++ {
			lines[i] = strings.TrimLeft(lines[i], margin)
		}
		note, found, i = strings.TrimSpace(strings.Join(lines, "\n")), true, end
		if !closed {
			continue
		}
		i++
		began := signs[len(strings.TrimRight(signs, "*_")):]
		ends := ""
		for _, c := range began {
			ends = string(c) + ends
		}
		switch rest := reply[i:]; {
		case strings.HasPrefix(rest, ends):
			i += len(ends)
		case strings.HasPrefix(ends, rest):
			i = len(reply)
		default:
			seen += began
		}
	}
	return strings.TrimRight(seen, " \t\r\n"), note, found
}

const openingWords = `\[[nN][oO][tT][eE] [tT][oO] [sS][eE][lL][fF] {0,8}:`

var (
	openingWithin = regexp.MustCompile(`^([*_]{0,16})` + openingWords)
	openingOfLine = regexp.MustCompile(`^((?:[>*_-][>*_ -]{0,15})?)` + openingWords)
)

func inCode(before string) bool {
	code, _ := vaulttest.InCode(before)
	return code
}

// checkFilter checks NoteFilter for one reply, in pieces of the given sizes and in single
// bytes.
func checkFilter(t interface{ Errorf(string, ...any) }, reply string, sizes []int) {
	if _, sure := vaulttest.InCode(reply); !sure {
		return
	}
	visible, note, found := splitWhole(reply)
	for _, bytewise := range []bool{true, false} {
		var f NoteFilter
		shown, rest := "", reply
		for i := 0; rest != ""; i++ {
			n := 1
			if !bytewise {
				if n = len(rest); i < len(sizes) {
					n = min(max(sizes[i], 0), n)
				}
			}
			shown += f.Write(rest[:n])
			rest = rest[n:]
			if !strings.HasPrefix(visible, shown) {
				t.Errorf("%q: %q is shown before %q, of %q", reply, shown, rest, visible)
				return
			}
		}
		tail, gotNote, gotFound := f.Close()
		if shown+tail != visible || gotNote != note || gotFound != found {
			t.Errorf("%q gave %q and %q (%v), should give %q and %q (%v)", reply, shown+tail, gotNote, gotFound,
				visible, note, found)
		}
	}
}

var notePieces = []string{
	"[NOTE TO SELF:", "[NOTE TO SELF: x]", "[NOTE TO", " SELF:", "[", "]", "[[", "]]", "`", "```", "````", "~~~",
	"```go\n",
	"\n", "\r\n", "\n\n", "*", "**", "_", ">", "> ", "- ", "**[Note to self:", "]**", "> [NOTE TO SELF :", " ",
	"   ", "\t", "text", "é", "[NOTE TO SELF", ":", "N", "\n```\n", "\n~~~\n",
}

func TestNoteFilter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		reply := strings.Join(rapid.SliceOfN(rapid.SampledFrom(notePieces), 0, 30).Draw(t, "pieces"), "")
		checkFilter(t, reply, rapid.SliceOf(rapid.IntRange(0, 9)).Draw(t, "sizes"))
	})
}

func FuzzNoteFilter(f *testing.F) {
	f.Add("Done.\n\n[NOTE TO SELF: see [[Plan]]]", []byte{3, 1, 20})
	f.Add("```\n[NOTE TO SELF: x]\n```", []byte{5})
	f.Add("a [NOTE [NOTE TO SELF: [x] `", []byte{})
	f.Fuzz(func(t *testing.T, reply string, cuts []byte) {
		if len(reply) > maxBehind {
			t.Skip("a note that is open for longer will not be closed")
		}
		if strings.Contains(reply, "<!--") {
			t.Skip("comments are text")
		}
		for _, line := range strings.Split(reply, "\n") {
			if len(line) >= maxFenceLine {
				t.Skip("only the start of a longer line is looked at")
			}
		}
		sizes := make([]int, len(cuts))
		for i, c := range cuts {
			sizes[i] = int(c)
		}
		checkFilter(t, reply, sizes)
	})
}
