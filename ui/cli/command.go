package cli

import (
	"context"
	_ "embed"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// commandTexts holds the names, arguments and help of all commands.
//
//go:embed commands.md
var commandTexts string

// readCommands makes the tree of commands from their texts and returns them by their words after ibid. They do nothing
// yet. The first argument is completed if its name is one of kinds.
func (a *app) readCommands() map[string]*cobra.Command {
	all := map[string]*cobra.Command{}
	for _, text := range strings.Split(commandTexts, "\n# ")[1:] {
		head, text, _ := strings.Cut(text, "\n")
		short, text, _ := strings.Cut(text, "\n")
		long, example, _ := strings.Cut(text, "\n  ")
		words := strings.Fields(head)
		n := slices.IndexFunc(append(words, "["), func(word string) bool {
			return word[0] < 'a' // arguments are in capitals or brackets
		})
		first, _, _ := strings.Cut(strings.Join(words[n:], "|"), "|")
		argument := strings.Trim(first, "[].")
		c := &cobra.Command{
			Use: strings.Join(words[n-1:], " "), Args: countArguments(words[n:]), Short: short,
			Long: strings.NewReplacer("\n\n", "\n\n", "\n", " ").Replace(strings.TrimSpace(long)),
		}
		if _, is := kinds[argument]; is {
			c.ValidArgsFunction = a.completion(argument)
		}
		if example != "" {
			c.Example = "  " + strings.TrimSpace(example)
		}
		if n > 1 {
			all[strings.Join(words[1:n-1], " ")].AddCommand(c)
		}
		all[strings.Join(words[1:n], " ")] = c
	}
	return all
}

// countArguments returns the check for the number of arguments in a usage line.
func countArguments(names []string) cobra.PositionalArgs {
	all := strings.Join(names, " ")
	switch least := len(names) - strings.Count(all, "["); {
	case strings.Contains(all, "..."):
		return cobra.MinimumNArgs(least)
	case all == "":
		return cobra.NoArgs
	case least == len(names):
		return cobra.ExactArgs(least)
	case least == 0:
		return cobra.MaximumNArgs(len(names))
	default:
		return cobra.RangeArgs(least, len(names))
	}
}

// command does the work of a command. If it is a pointer to a struct, addFlags makes flags of the fields.
type command interface {
	run(ctx context.Context, p *parts, words []string) error
}

func (do work) run(ctx context.Context, p *parts, words []string) error { return do(ctx, p, words) }

// addFlags adds a flag for each field of a struct to a command, which it returns. Tags of the field:
//
//   - flag: the name, and after a comma the letter of the short form
//   - help: the help text, with the name of the value between < and >
//   - default: the default value
//   - values: completions between bars, where a word of kinds stands for all names of that kind; without the tag a
//     shell completes files
func (a *app) addFlags(c *cobra.Command, fields any) *cobra.Command {
	set := c.Flags()
	for f, v := range reflect.ValueOf(fields).Elem().Fields() {
		if f.Anonymous {
			a.addFlags(c, v.Addr().Interface())
		}
		name, short, _ := strings.Cut(f.Tag.Get("flag"), ",")
		if name == "" {
			continue
		}
		help, preset := strings.NewReplacer("<", "`", ">", "`").Replace(f.Tag.Get("help")), f.Tag.Get("default")
		switch to := v.Addr().Interface().(type) {
		case *string:
			set.StringVarP(to, name, short, preset, help)
		case *[]string:
			set.StringArrayVarP(to, name, short, nil, help)
		case *bool:
			set.BoolVarP(to, name, short, false, help)
		case *int:
			n, _ := strconv.Atoi(preset)
			set.IntVar(to, name, n, help)
		case *time.Duration:
			set.DurationVar(to, name, 0, help)
		case pflag.Value:
			set.Var(to, name, help)
		}
		if values, ok := f.Tag.Lookup("values"); ok {
			must(c.RegisterFlagCompletionFunc(name, a.completion(strings.FieldsFunc(values, func(r rune) bool {
				return r == '|'
			})...)))
		}
	}
	return c
}

// itemsAsTexts inserts "--" before the first argument that begins with a dash and a space: an item of a list, as in
// ibid append Shopping '- bread'.
func itemsAsTexts(args []string) []string {
	i := slices.IndexFunc(args, func(s string) bool { return s == "--" || strings.HasPrefix(s, "- ") })
	if i < 0 || args[i] == "--" {
		return args
	}
	return slices.Insert(slices.Clone(args), i, "--")
}
