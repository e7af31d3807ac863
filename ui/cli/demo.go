package cli

import (
	"cmp"
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"ibid/chains"
	"ibid/ui/plain"
)

// sampleVault is the vault that `ibid demo` opens: notes that explain ibid.
//
//go:embed all:demo
var sampleVault embed.FS

func (a *app) demoCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "demo",
		Short: "Try ibid on a sample vault; nothing is sent anywhere",
		Long:  "Demo opens the screen on a sample vault in a temporary folder, answered by the offline model. Without a terminal it plays a short conversation in line mode; with --plain it is line mode. The folder is removed at the end.",
		Args:  cobra.NoArgs,
		RunE:  func(c *cobra.Command, _ []string) error { return a.demo(c.Context()) },
	}
	c.Flags().BoolVar(&a.flags.plain, "plain", false, plainUsage)
	c.Flags().BoolVar(&a.inline, "inline", false, inlineUsage)
	return c
}

// sampleQuestions are what the sample vault answers well.
func sampleQuestions() []string {
	return []string{"What is ibid?", `what does @"Garden plan" say about tomatoes?`, "what did I decide about the greenhouse roof?"}
}

// demoConversation is what is played where nobody can type.
const demoConversation = `What is ibid? See @"Start here"
/add Garden plan
what does the garden plan say about tomatoes?
and what about compost?
/context
what did I decide about the greenhouse roof?
summarize @Garden plan
/quit
`

func (a *app) demo(ctx context.Context) (err error) {
	dir, err := os.MkdirTemp("", "ibid-demo-")
	if err != nil {
		return fmt.Errorf("make a place for the sample vault: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	root := filepath.Join(dir, "Sample vault")
	notes, err := fs.Sub(sampleVault, "demo")
	if err == nil {
		err = os.CopyFS(root, notes)
	}
	if err != nil {
		return fmt.Errorf("write the sample vault: %w", err)
	}
	// The demo stands alone: no configuration, no model, its own state.
	a.flags.Offline, a.sample = true, true
	a.flags.Vault, a.flags.Chat = "", ""
	a.flags.Chain = cmp.Or(a.flags.Chain, chains.Vault{}.Name())
	a.folder.state, a.folder.cache = filepath.Join(dir, "state"), filepath.Join(dir, "cache")
	a.folder.config = filepath.Join(dir, "config.toml")
	switch {
	case !a.flags.plain && canDraw(a):
		return a.with(ctx, root, chooseModel|askServers|onScreen, func(ctx context.Context, p *parts) error {
			return a.screen(ctx, p, nil)
		})
	case a.flags.plain || terminal(a.env.Stdin) && !a.flags.JSON:
		return a.with(ctx, root, readNotes|chooseModel|askServers|fromInput, a.lines)
	}
	return a.with(ctx, root, readNotes|chooseModel|askServers, func(ctx context.Context, p *parts) error {
		out := a.outputFor(p)
		out.Fleeting = true
		for line := range strings.Lines(demoConversation) {
			line = strings.TrimSuffix(line, "\n")
			if !a.flags.JSON {
				out.Say("> " + line)
			}
			if plain.Line(ctx, p.desk, out, line) || out.Broken() != nil {
				break
			}
			if !a.flags.JSON {
				out.Say("")
			}
		}
		return statusError(plain.Status(ctx, out))
	})
}
