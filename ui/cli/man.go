package cli

import (
	"bytes"
	_ "embed"
	"regexp"
	"slices"
	"strings"
	"text/template"

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

//go:embed man.md.tmpl
var manualTemplate string

// manualOf is the manual page in markdown: what commands and flags say of themselves, and
// the pages of the book.
func manualOf(root *cobra.Command) string {
	var text strings.Builder
	page := template.Must(template.New("man").Funcs(template.FuncMap{
		"flags": flagTexts, "lines": func(s string) bool { return strings.Contains(s, "\n") }, "page": listTopic,
		"topics": book.Topics, "plain": escapeMarks, "trim": strings.TrimPrefix, "upper": strings.ToUpper,
	}).Parse(manualTemplate))
	must(page.Execute(&text, root))
	return text.String()
}

// listTopic is a page of the book below a heading of its own. It makes definitions of the
// rows of tables, which would be too wide for 80 columns: the first cell is what the others
// say something of.
func listTopic(topic string) string {
	page, _ := book.Find(topic)
	rows := 0
	_, text, _ := strings.Cut(page.Text, "\n") // the title
	var out strings.Builder
	for line := range strings.Lines(strings.ReplaceAll(text, "\n## ", "\n### ")) {
		if !strings.HasPrefix(line, "| ") && !strings.HasPrefix(line, "|-") {
			rows = 0
			out.WriteString(line)
		} else if rows++; rows > 2 {
			cells := strings.Split(strings.Trim(strings.ReplaceAll(line, `\|`, "\x00"), "|\n "), " | ")
			out.WriteString(strings.ReplaceAll(cells[0]+"\n: "+strings.Join(slices.DeleteFunc(cells[1:], isBlank), "; "), "\x00", "|") + "\n\n")
		}
	}
	return out.String()
}

// flagTexts are the flags that c has of its own: name, value and meaning.
func flagTexts(c *cobra.Command) (all [][3]string) {
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if f.Name != "help" && !f.Hidden {
			value, does := pflag.UnquoteUsage(f)
			all = append(all, [3]string{f.Name, value, does})
		}
	})
	return all
}

// escapeMarks keeps what markdown would take for marks as it is, outside of code.
func escapeMarks(s string) string {
	parts := strings.Split(s, "`")
	for i := 0; i < len(parts); i += 2 {
		parts[i] = strings.NewReplacer("*", `\*`, "_", `\_`, "<", `\<`, "[", `\[`, "#", `\#`).Replace(parts[i])
	}
	return strings.Join(parts, "`")
}
