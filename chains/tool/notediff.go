package tool

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"ibid/chains"
	"ibid/vault/md"
)

type diffArgs struct{ Reference, Since string }

// maxDiff limits the characters of a diff.
const maxDiff = 8000

var turnOf = regexp.MustCompile(`^turn:([1-9][0-9]{0,5})$`)

// since returns the turn of the argument, in the form of chains.Caller.Version.
func (a *diffArgs) since() (turn int, wrong *mistake) {
	switch m := turnOf.FindStringSubmatch(a.Since); {
	case a.Since == "" || a.Since == "library":
		return chains.InLibrary, nil
	case a.Since == "last_shown":
		return 0, nil
	case m != nil:
		turn, _ = strconv.Atoi(m[1]) // at most six digits
		return turn, nil
	}
	return 0, newMistake(fmt.Sprintf("since: %q is not understood", a.Since),
		"since is library, last_shown or turn:N, such as turn:2")
}

func (o Options) noteDiff(ctx context.Context, a diffArgs) chains.ToolOutput {
	by := chains.CallerOf(ctx)
	turn, wrong := a.since()
	if wrong != nil {
		return wrong.output()
	}
	if by.Version == nil {
		return failedResult("No conversation", "what a note was is known in a conversation only")
	}
	n, wrong := o.findNote(ctx, a.Reference)
	if wrong != nil {
		return wrong.output()
	}
	v, err := by.Version(ctx, string(n.Path), turn)
	if err != nil {
		return failedResult("No earlier version", err.Error()+"; readNote reads the note as it is")
	}
	since := fmt.Sprintf("since turn %d", v.Turn)
	if v.Reopened {
		since = fmt.Sprintf("since the chat was opened again after turn %d; what it was before is not known", v.Turn)
	}
	diff := v.Was.Diff(v.Now)
	out := chains.ToolOutput{Text: string(n.Path) + ": unchanged " +
		since, Note: md.Clip(string(n.Path), maxRemark-20) + ": unchanged"}
	switch {
	case diff != "":
		added, removed := countDiffLines(diff)
		out.Text = fmt.Sprintf("%s: +%d -%d lines %s", n.Path, added, removed, since)
		out.Text += "\n" + cutDiff(diff)
		out.Note = fmt.Sprintf("%s: +%d -%d lines", md.Clip(string(n.Path), maxRemark-30), added, removed)
	case v.Was.Revision != v.Now.Revision:
		out.Text = string(n.Path) + ": its own text is unchanged " + since + ", a note that it embeds has changed"
	}
	out.Sources = []chains.Source{{Path: string(n.Path), Revision: v.Now.Revision.Short()}}
	return out
}

// countDiffLines counts the lines that a diff adds and removes.
func countDiffLines(diff string) (added, removed int) {
	for line := range strings.Lines(diff) {
		switch line[0] {
		case '+':
			added++
		case '-':
			removed++
		}
	}
	return added, removed
}

// cutDiff returns the beginning of a long diff, cut after a line if that keeps at least half of it.
func cutDiff(diff string) string {
	if utf8.RuneCountInString(diff) <= maxDiff {
		return diff
	}
	short := string([]rune(diff)[:maxDiff])
	if i := strings.LastIndexByte(short, '\n'); i > len(short)/2 {
		short = short[:i]
	}
	return short + "\n[only the beginning: the diff has " + strconv.Itoa(utf8.RuneCountInString(diff)) + " characters]"
}
