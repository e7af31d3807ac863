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

// sampleVault has notes that explain ibid.
//
//go:embed all:demo
var sampleVault embed.FS

// demoConversation is typed by the demo itself if no person can, as when its output is recorded.
const demoConversation = `What is ibid? See @"Start here"
/add Garden plan
what does the garden plan say about tomatoes?
and what about compost?
/context
what did I decide about the greenhouse roof?
summarize @Garden plan
/quit
`

// demo runs on a copy of the sample vault that is deleted afterwards. It returns a vault that the person chose on the
// screen to go on with, "" for none.
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
	// The demo must neither ask a model nor touch the state of the person, but the page of vaults shows their own.
	own := *a
	a.flags.Offline, a.sample = true, true
	a.flags.Vault, a.flags.Chat = "", ""
	a.flags.Chain = cmp.Or(a.flags.Chain, chains.Vault{}.Name())
	a.folder.state, a.folder.cache = filepath.Join(dir, "state"), filepath.Join(dir, "cache")
	a.folder.config = filepath.Join(dir, "config.toml")
	needs, work := readNotes|chooseModel|askServers|fromInput, lines
	switch {
	case !a.Plain && canDraw(a):
		needs, work = chooseModel|askServers|onScreen, func(ctx context.Context, p *parts) error {
			return p.show(ctx, vaultPage{&own, p.dir, &next})
		}
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
