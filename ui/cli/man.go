package cli

import (
	"bytes"
	"context"
	_ "embed"
	"regexp"
	"strings"
	"text/template"

	"github.com/cpuguy83/go-md2man/v2/md2man"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"ibid/ui/cli/book"
)

func printManual(_ context.Context, p *parts, _ []string) error {
	page := md2man.Render([]byte(manualOf(p.root)))
	p.print(string(boldText.ReplaceAllFunc(page, func(bold []byte) []byte {
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
		"flags": flagTexts, "lines": func(s string) bool { return strings.Contains(s, "\n") }, "page": book.Definitions,
		"topics": book.Topics, "plain": escapeMarks, "trim": strings.TrimPrefix, "upper": strings.ToUpper,
	}).Parse(manualTemplate))
	must(page.Execute(&text, root))
	return text.String()
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
