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

	"ibid/chains"
)

// sampleVault is the vault that `ibid demo` opens: notes that explain ibid.
//
//go:embed all:demo
var sampleVault embed.FS

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

// demo opens the sample vault. A vault of the person may be chosen on its screen, next.
func (a *app) demo(ctx context.Context) (next string, err error) {
	dir, err := os.MkdirTemp("", "ibid-demo-")
	if err != nil {
		return "", fmt.Errorf("make a place for the sample vault: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	root := filepath.Join(dir, "Sample vault")
	notes, err := fs.Sub(sampleVault, "demo")
	if err == nil {
		err = os.CopyFS(root, notes)
	}
	if err != nil {
		return "", fmt.Errorf("write the sample vault: %w", err)
	}
	// The demo stands alone: no configuration, no model, its own state. The screen may go over
	// to a vault of the person, where all of that counts again.
	own := *a
	a.flags.Offline, a.sample = true, true
	a.flags.Vault, a.flags.Chat = "", ""
	a.flags.Chain = cmp.Or(a.flags.Chain, chains.Vault{}.Name())
	a.folder.state, a.folder.cache = filepath.Join(dir, "state"), filepath.Join(dir, "cache")
	a.folder.config = filepath.Join(dir, "config.toml")
	needs, work := readNotes|chooseModel|askServers|fromInput, lines
	switch {
	case !a.Plain && canDraw(a):
		needs, work = chooseModel|askServers|onScreen, func(ctx context.Context, p *parts) error { return p.show(ctx, vaultPage{&own, p.dir, &next}) }
	case !a.Plain && (a.flags.JSON || !terminal(a.env.Stdin)):
		a.env.Stdin = strings.NewReader(demoConversation)
		if !a.flags.JSON {
			a.prompt = "\n> "
		}
	}
	err = a.with(ctx, root, needs, work)
	a.flags, a.folder, a.sample = own.flags, own.folder, false
	return next, err
}
