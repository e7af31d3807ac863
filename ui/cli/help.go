package cli

import (
	"context"
	"fmt"
	"os"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"ibid/ui/cli/book"
	"ibid/ui/mdview"
	"ibid/ui/theme"
)

// mostHits is how many sections a search of the book lists.
const mostHits = 12

type helpFlags struct {
	Search bool `flag:"search" help:"list the sections of the manual that hold most of the words"`
}

// help shows a page of the book, else the help of a command. A topic goes before a command
// of its name, whose flags its own --help lists.
func (a *app) help(root *cobra.Command, args []string, f *helpFlags) error {
	words := strings.Join(args, " ")
	if f.Search {
		return a.searchBook(words)
	}
	if page, ok := book.Find(words); ok {
		a.printPage(page.Text)
		return nil
	}
	found, rest, err := root.Find(args)
	if err != nil || len(args) > 0 && (found == root || len(rest) > 0) {
		return usagef("help: there is no topic and no command %q; `ibid help` lists them, `ibid help --search %s` looks for it", words, words)
	}
	if err = found.Help(); found == root && err == nil {
		a.print("\nTopics of `ibid help TOPIC`:\n  " + strings.Join(book.Topics(), " ") + "\n")
	}
	return err
}

// manualPage is a page of the manual as desk.Setup has it.
func manualPage(topic string) (text string, ok bool) {
	if topic == "" {
		return strings.Join(book.Topics(), ", "), true
	}
	page, ok := book.Find(topic)
	return book.JoinLines(page.Text), ok
}

// completeTopic lists the topics of the manual.
func completeTopic(_ context.Context, args []string) (names []string) {
	for _, topic := range book.Topics() {
		if page, _ := book.Find(topic); len(args) == 0 {
			names = append(names, topic+"\t"+page.Title)
		}
	}
	return names
}

// searchBook lists the sections of the manual that hold words.
func (a *app) searchBook(words string) error {
	hits := book.Search(words)
	if len(hits) == 0 {
		return a.nothing("the manual has nothing on %q; `ibid help` lists its topics", words)
	}
	for _, hit := range hits[:min(len(hits), mostHits)] {
		row := struct {
			Topic   string `json:"topic"`
			Heading string `json:"heading"`
			Line    string `json:"line"`
		}{hit.Topic, hit.Heading, hit.Line}
		a.printRow(row, fmt.Sprintf("ibid help %-10s %s\n    %s\n", hit.Topic, hit.Heading, oneLine(hit.Line)))
	}
	return nil
}

// printPage prints a page of the manual as the screen shows markdown where standard output
// is a terminal, else as it is.
func (a *app) printPage(text string) {
	out, ok := a.env.Stdout.(*os.File)
	if !ok || !canDraw(a) {
		a.print(text)
		return
	}
	c, err := a.settings()
	if err != nil {
		c = &Config{}
	}
	look, kind := lookOf(&c.Screen, c.palettes(), a.env.Getenv)
	if kind == "" && !look.NoColor {
		look.Dark = lipgloss.HasDarkBackground(os.Stdin, out)
	}
	width, _, _ := term.GetSize(out.Fd()) // 0 is a width of its own to mdview
	view := mdview.New(mdview.NewRenderer(theme.New(look)), mdview.Options{Width: min(width, widestText)})
	view.Append(book.JoinLines(text))
	view.Finish()
	for _, line := range view.Lines() {
		if _, a.out.err = lipgloss.Fprintln(out, theme.StripMarks(line)); a.out.err != nil {
			return
		}
	}
}

// widestText is the measure of prose on a wide terminal, in cells.
const widestText = 100
