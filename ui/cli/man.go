package cli

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/cpuguy83/go-md2man/v2/md2man"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"ibid/ui/cli/book"
)

func (a commands) printManual(c *cobra.Command, _ []string) error {
	page := md2man.Render([]byte(manualOf(c.Root())))
	a.print(string(boldText.ReplaceAllFunc(page, func(bold []byte) []byte {
		return bytes.ReplaceAll(bold, []byte("-"), []byte(`\-`)) // which can be copied from the page
	})))
	return nil
}

// boldText finds what stands in bold, as code does.
var boldText = regexp.MustCompile(`\\fB.*?\\f[RP]`)

// manualOf is the manual page in markdown: what commands and flags say of themselves, and
// the pages of the book.
func manualOf(root *cobra.Command) string {
	var text strings.Builder
	fmt.Fprintf(&text, "ibid 1 \"\" \"ibid %s\" \"User Commands\"\n===\n\n", root.Version)
	fmt.Fprintf(&text, "# NAME\nibid - %s\n\n# SYNOPSIS\n**ibid** [OPTIONS] [VAULT | CHAT.md]\n\n**ibid** [OPTIONS] COMMAND\n\n", root.Short)
	fmt.Fprintf(&text, "# DESCRIPTION\n%s\n\n# COMMANDS\n", root.Long)
	writeCommands(&text, root)
	text.WriteString("# OPTIONS\n")
	writeFlags(&text, root)
	for _, topic := range book.Topics() {
		page, _ := book.Find(topic)
		body := strings.ReplaceAll(strings.TrimPrefix(page.Text, "# "+page.Title), "\n## ", "\n### ")
		fmt.Fprintf(&text, "# %s\n%s\n", strings.ToUpper(topic), tablesToLists(body))
	}
	return text.String()
}

// tablesToLists makes definitions of the rows of tables, which would be too wide for a page
// of 80 columns: the first cell is what the others say something of.
func tablesToLists(text string) string {
	var out strings.Builder
	rows := 0
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "| ") && !strings.HasPrefix(line, "|-") {
			rows = 0
			out.WriteString(line)
			continue
		}
		if rows++; rows > 2 {
			cells := strings.Split(strings.Trim(strings.ReplaceAll(line, `\|`, "\x00"), "|\n "), " | ")
			out.WriteString(strings.ReplaceAll(cells[0]+"\n: "+strings.Join(slices.DeleteFunc(cells[1:], isBlank), "; "), "\x00", "|") + "\n\n")
		}
	}
	return out.String()
}

func isBlank(s string) bool { return strings.TrimSpace(s) == "" }

// writeCommands writes the commands below c, each with its own flags.
func writeCommands(text *strings.Builder, c *cobra.Command) {
	for _, c := range c.Commands() {
		if c.Hidden {
			continue
		}
		does := c.Long
		if does == "" || strings.Contains(does, "\n") {
			does = c.Short
		}
		fmt.Fprintf(text, "### %[1]s\n**%[1]s**%s\n\n%s\n\n", strings.TrimPrefix(c.CommandPath(), "ibid "), escapeMarks(c.Use[len(c.Name()):]), escapeMarks(does))
		writeFlags(text, c)
		writeCommands(text, c)
	}
}

// writeFlags writes the flags that c has of its own.
func writeFlags(text *strings.Builder, c *cobra.Command) {
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if f.Name != "help" && !f.Hidden {
			value, does := pflag.UnquoteUsage(f)
			fmt.Fprintf(text, "**--%s** %s\n: %s\n\n", f.Name, escapeMarks(value), escapeMarks(does))
		}
	})
}

// escapeMarks keeps what markdown would take for marks as it is, outside of code.
func escapeMarks(s string) string {
	parts := strings.Split(s, "`")
	for i := 0; i < len(parts); i += 2 {
		parts[i] = strings.NewReplacer("*", `\*`, "_", `\_`, "<", `\<`, "[", `\[`, "#", `\#`).Replace(parts[i])
	}
	return strings.Join(parts, "`")
}
