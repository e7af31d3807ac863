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
		return bytes.ReplaceAll(bold, []byte("-"), []byte(`\-`)) // a hyphen would not work when copied
	})))
	return nil
}

// boldText matches bold text of a page, which code is.
var boldText = regexp.MustCompile(`\\fB.*?\\f[RP]`)

//go:embed man.md.tmpl
var manualTemplate string

// manualOf returns the manual page in markdown, from the help of commands and flags and the pages of the book.
func manualOf(root *cobra.Command) string {
	var text strings.Builder
	page := template.Must(template.New("man").Funcs(template.FuncMap{
		"flags": flagTexts, "lines": func(s string) bool { return strings.Contains(s, "\n") }, "page": book.Definitions,
		"topics": book.Topics, "plain": escapeMarks, "trim": strings.TrimPrefix, "upper": strings.ToUpper,
	}).Parse(manualTemplate))
	must(page.Execute(&text, root))
	return text.String()
}

// flagTexts returns the name, value and help of each flag of c, without the shared ones.
func flagTexts(c *cobra.Command) (all [][3]string) {
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if f.Name != "help" && !f.Hidden {
			value, does := pflag.UnquoteUsage(f)
			all = append(all, [3]string{f.Name, value, does})
		}
	})
	return all
}

// escapeMarks escapes the marks of markdown in help texts, but not in code.
func escapeMarks(s string) string {
	parts := strings.Split(s, "`")
	for i := 0; i < len(parts); i += 2 {
		parts[i] = strings.NewReplacer("*", `\*`, "_", `\_`, "<", `\<`, "[", `\[`, "#", `\#`).Replace(parts[i])
	}
	return strings.Join(parts, "`")
}
