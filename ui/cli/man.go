package cli

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"ibid/chains/wire"
)

// manCommand prints the manual page. fang can make one too, but says nothing of
// values, variables, files and exit status, and puts the day of the build into it.
func (a *app) manCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "man",
		Short: "Print the manual page",
		Long:  "Man prints the manual page in the format of man(1): `ibid man | man -l -` shows it.",
		Args:  arguments(cobra.NoArgs),
		RunE: func(c *cobra.Command, _ []string) error {
			a.print(manual(c.Root(), cmp.Or(a.env.Version, "dev")))
			return nil
		},
	}
}

// page is a manual page in the making.
type page struct{ strings.Builder }

// manual is the page of a program: of its commands and flags as they are, and
// of what no flag shows.
func manual(root *cobra.Command, version string) string {
	var p page
	fmt.Fprintf(&p, ".TH IBID 1 \"\" %q \"User Commands\"\n", "ibid "+version)
	p.section("NAME")
	p.text(root.Name() + " - " + root.Short)
	p.section("SYNOPSIS")
	fmt.Fprintf(&p, "\\fBibid\\fR [\\fIoptions\\fR] [\\fIvault\\fR | \\fIchat.md\\fR]\n.br\n\\fBibid\\fR [\\fIoptions\\fR] \\fIcommand\\fR\n")
	p.section("DESCRIPTION")
	p.text(root.Long)
	p.section("COMMANDS")
	p.commands(root)
	p.section("OPTIONS")
	p.flags(root)
	p.section("ENVIRONMENT")
	p.items(manEnvironment())
	p.section("FILES")
	p.items([][2]string{
		{"$XDG_CONFIG_HOME/ibid/config.toml", "The configuration. Flags win over the environment, the environment over this file."},
		{"$XDG_STATE_HOME/ibid", "Which notes editors have open, which model answered last, locks, and what was learned about token counts."},
		{"VAULT/Chats/*.md", "Saved chats; VAULT/copilot/copilot-conversations if the vault has that folder."},
		{"VAULT/.ibid/pins.json", "The pinned notes."},
		{"VAULT/.trash", "Where deleted chats go."},
	})
	p.section("EXIT STATUS")
	p.items([][2]string{
		{"0", "Done."},
		{"1", "It did not succeed; the reason is on standard error."},
		{"2", "Wrong usage; nothing was sent."},
		{"130", "Interrupted; what had been streamed is saved."},
	})
	p.section("EXAMPLES")
	fmt.Fprintf(&p, ".nf\n%s\n.fi\n", roff(root.Example))
	return p.String()
}

// manEnvironment is the variables that are read.
func manEnvironment() [][2]string {
	var keys []string
	for _, p := range wire.Providers() {
		if p.KeyVar != "" && p.KeyVar != "OPENAI_API_KEY" {
			keys = append(keys, p.KeyVar)
		}
	}
	return [][2]string{
		{"OPENAI_API_KEY", "The key for OpenAI, and for a server that --base-url names and ibid does not know."},
		{"OPENAI_BASE_URL", "Address of an OpenAI-compatible server."},
		{strings.Join(keys, ", "), "The keys for the other providers."},
		{"IBID_VAULT, IBID_MODEL", "Stand for vault and model of the configuration, and win over them."},
		{"VISUAL, EDITOR", "The editor that the screen starts."},
		{"NO_COLOR", "Set to anything: no colours."},
		{"TERM, COLORTERM, TMUX", "What the terminal is; doctor says what follows from it."},
		{"XDG_CONFIG_HOME, XDG_STATE_HOME, XDG_CACHE_HOME", "Where configuration, state and indexes are kept."},
	}
}

func (p *page) section(name string) { fmt.Fprintf(p, ".SH %s\n", name) }

// text writes paragraphs that an empty line separates.
func (p *page) text(s string) { p.WriteString(strings.ReplaceAll(roff(s), "\n\n", "\n.PP\n") + "\n") }

// items writes terms and what they mean.
func (p *page) items(items [][2]string) {
	for _, it := range items {
		fmt.Fprintf(p, ".TP\n\\fB%s\\fR\n%s\n", roff(it[0]), roff(it[1]))
	}
}

// commands writes the commands below c, each with the flags that only it has.
func (p *page) commands(c *cobra.Command) {
	for _, sub := range c.Commands() {
		if sub.Hidden || sub.Name() == "help" {
			continue
		}
		if sub.Runnable() {
			name, args, _ := strings.Cut(sub.Use, " ")
			path := strings.TrimPrefix(sub.Parent().CommandPath()+" "+name, c.Root().Name()+" ")
			if args != "" {
				args = ` \fI` + roff(args) + `\fR`
			}
			what := sub.Long
			if what == "" || strings.Contains(what, "\n") { // the long stories of the completion scripts
				what = sub.Short
			}
			fmt.Fprintf(p, ".TP\n\\fB%s\\fR%s\n%s\n", roff(path), args, roff(what))
			if sub.HasAvailableLocalFlags() {
				p.WriteString(".RS\n")
				p.flags(sub)
				p.WriteString(".RE\n")
			}
		}
		p.commands(sub)
	}
}

// flags writes the flags that c has of its own.
func (p *page) flags(c *cobra.Command) {
	set := c.LocalFlags()
	for _, line := range strings.Split(set.FlagUsages(), "\n") {
		_, rest, _ := strings.Cut(line, "--")
		name, _, _ := strings.Cut(rest, " ")
		f := set.Lookup(name)
		if f == nil || name == "help" {
			continue
		}
		short := ""
		if f.Shorthand != "" {
			short = "-" + f.Shorthand + ", "
		}
		fmt.Fprintf(p, ".TP\n\\fB%s\\fR", roff(short+"--"+name))
		if v := flagValue(name, f.Value.Type()); v != "" {
			fmt.Fprintf(p, " \\fI%s\\fR", roff(v))
		}
		fmt.Fprintf(p, "\n%s\n", roff(f.Usage))
	}
}

// flagValue is what stands behind a flag, "" if nothing does.
func flagValue(name, kind string) string {
	switch name {
	case "vault", "chats", "record":
		return "DIR"
	case "chat", "config", "log":
		return "FILE"
	case "base-url":
		return "URL"
	case "note", "resolve":
		return "REF"
	case "active":
		return "off|follow|REF"
	case "layout":
		return "auto|strict|append"
	}
	switch kind {
	case "bool":
		return ""
	case "int":
		return "N"
	}
	return "NAME"
}

// roff escapes what the format would take for its own.
func roff(s string) string {
	s = strings.NewReplacer(`\`, `\e`, "-", `\-`, "`", `\(ga`, "'", `\(aq`, "\t", " ").Replace(strings.TrimSpace(s))
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}
