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

func (a *app) manCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "man",
		Short: "Print the manual page",
		Long:  "Man prints the manual page in the format of man(1): `ibid man | man -l -` shows it.",
		Args:  arguments(cobra.NoArgs),
		RunE: func(c *cobra.Command, _ []string) error {
			var keys []string
			for _, p := range wire.Providers() {
				if p.KeyVar != "" && p.KeyVar != "OPENAI_API_KEY" {
					keys = append(keys, p.KeyVar)
				}
			}
			page := template.New("man").Funcs(template.FuncMap{
				"roff": roff, "commands": manCommands, "flags": manFlags,
				"paragraphs": func(s string) []string { return strings.Split(s, "\n\n") },
			})
			var text strings.Builder
			err := template.Must(page.Parse(manTemplate)).Execute(&text, map[string]any{
				"Root": c.Root(), "Version": c.Root().Version, "Keys": strings.Join(keys, ", "),
			})
			a.print(text.String())
			return err
		},
	}
}

// manCommand is a command as the manual shows it, with the flags that only it has.
type manCommand struct {
	Path, Args, Does string
	Flags            []manFlag
}

// manCommands lists the commands below c that a user can run.
func manCommands(c *cobra.Command) []manCommand {
	var out []manCommand
	for _, sub := range c.Commands() {
		if sub.Hidden || sub.Name() == "help" {
			continue
		}
		does := sub.Long
		if does == "" || strings.Contains(does, "\n") { // the long stories of the completion scripts
			does = sub.Short
		}
		_, args, _ := strings.Cut(sub.Use, " ")
		path := strings.TrimPrefix(sub.CommandPath(), c.Root().Name()+" ")
		out = append(out, manCommand{path, args, does, manFlags(sub)})
		out = append(out, manCommands(sub)...)
	}
	return out
}

// manFlag is a flag with what stands behind it, "" if nothing does.
type manFlag struct{ Name, Value, Does string }

// manFlags lists the flags that c has of its own.
func manFlags(c *cobra.Command) []manFlag {
	var out []manFlag
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if f.Name != "help" && !f.Hidden {
			value, does := pflag.UnquoteUsage(f)
			out = append(out, manFlag{"--" + f.Name, value, does})
		}
	})
	return out
}

// roff escapes what the format would take for its own.
func roff(s string) string {
	s = strings.NewReplacer(`\`, `\e`, "-", `\-`, "`", `\(ga`, "'", `\(aq`, "\t", " ").Replace(strings.TrimSpace(s))
	return strings.ReplaceAll("\n"+s, "\n.", "\n\\&.")[1:]
}
