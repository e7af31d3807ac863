package cli

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"ibid/ui/cli/book"
	"ibid/ui/plain"
)

// mostHits limits a search of the manual to one screen.
const mostHits = 12

type helpFlags struct {
	Search bool `flag:"search" help:"list the sections of the manual that hold most of the words"`
}

// run prints a page of the manual, else the help of a command. A topic wins over a command of the same name, whose help
// --help prints as well.
func (f *helpFlags) run(_ context.Context, p *parts, args []string) error {
	root, words := p.root, strings.Join(args, " ")
	if f.Search {
		return p.searchBook(words)
	}
	if page, ok := book.Find(words); ok {
		p.printPage(page.Text)
		return nil
	}
	found, rest, err := root.Find(args)
	if err != nil || len(args) > 0 && (found == root || len(rest) > 0) {
		return usagef(
			"help: there is no topic and no command %q; `ibid help` lists them, `ibid help --search %s` looks for it",
			words, words)
	}
	if err = found.Help(); found == root && err == nil {
		p.print("\nTopics of `ibid help TOPIC`:\n  " + strings.Join(book.Topics(), " ") + "\n")
	}
	return err
}

// width returns the width of help texts.
func (a *app) width() int {
	width := 80
	if out, ok := a.env.Stdout.(*os.File); ok {
		width, _ = plain.TerminalSize(out)
	}
	return max(width, 40)
}

// helpTemplate puts the flags of a command before the shared ones.
//
//go:embed help.tmpl
var helpTemplate string

// helpOf returns the help of a command, with lines wrapped at a width.
func helpOf(c *cobra.Command, width int) string {
	c.SetUsageTemplate(strings.ReplaceAll(helpTemplate, "WIDTH", strconv.Itoa(width)))
	var out strings.Builder
	for line := range strings.Lines(c.UsageString()) {
		if ansi.StringWidth(line) > width {
			head := helpColumn.FindString(line)
			line = head + strings.ReplaceAll(ansi.Wordwrap(line[len(head):], width-len(head), ""),
				"\n", "\n"+strings.Repeat(" ", len(head)))
			line = strings.TrimRight(line, " ") // the indent after the last line
		}
		out.WriteString(line)
	}
	return out.String()
}

// helpColumn matches the name of a command in a list, below which the text goes on.
var helpColumn = regexp.MustCompile(`^  \S+ +`)

// manualPage implements desk.Setup.Manual.
func manualPage(topic string) (text string, ok bool) {
	if topic == "" {
		return strings.Join(book.Topics(), ", "), true
	}
	page, ok := book.Find(topic)
	return book.JoinLines(page.Text), ok
}

// searchBook prints the sections of the manual that contain the words.
func (a *app) searchBook(words string) error {
	hits := book.Search(words)
	if len(hits) == 0 {
		return a.nothing("the manual has nothing on %q; `ibid help` lists its topics", words)
	}
	for _, hit := range hits[:min(len(hits), mostHits)] {
		a.printRow(hit, fmt.Sprintf("ibid help %-10s %s\n    %s\n", hit.Topic, hit.Heading, oneLine(hit.Line)))
	}
	return nil
}

// printPage prints a page of the manual, on a terminal drawn like the markdown of replies.
func (a *app) printPage(text string) {
	if d := drawingOf(a); d != nil {
		text = d.Whole(book.JoinLines(text))
	}
	a.print(text)
}
