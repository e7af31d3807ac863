package cli

import (
	_ "embed"
	"strings"
	"text/template"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"ibid/chains/wire"
)

// manTemplate is the manual page without what the commands and flags say of
// themselves.
//
//go:embed man.1.tmpl
var manTemplate string

func (a commands) printManual(c *cobra.Command, _ []string) error {
	var keys []string
	for _, p := range wire.Providers() {
		if p.KeyVar != "" && p.KeyVar != "OPENAI_API_KEY" {
			keys = append(keys, p.KeyVar)
		}
	}
	page := template.New("man").Funcs(template.FuncMap{
		"roff": roff, "flags": manFlags, "contains": strings.Contains, "split": strings.Split,
		"usage": func(f *pflag.Flag) []string {
			value, does := pflag.UnquoteUsage(f)
			return []string{value, does}
		},
	})
	var text strings.Builder
	err := template.Must(page.Parse(manTemplate)).Execute(&text, map[string]any{
		"Root": c.Root(), "Version": c.Root().Version, "Keys": strings.Join(keys, ", "),
	})
	a.print(text.String())
	return err
}

// manFlags lists the flags that c has of its own.
func manFlags(c *cobra.Command) (all []*pflag.Flag) {
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if f.Name != "help" && !f.Hidden {
			all = append(all, f)
		}
	})
	return all
}

// roff escapes what the format would take for its own.
func roff(s string) string {
	s = strings.NewReplacer(`\`, `\e`, "-", `\-`, "`", `\(ga`, "'", `\(aq`, "\t", " ").Replace(strings.TrimSpace(s))
	return strings.ReplaceAll("\n"+s, "\n.", "\n\\&.")[1:]
}
