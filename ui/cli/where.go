package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"ibid/chains/connect/keystore"
)

// whereFlags are the flags of ibid where.
type whereFlags struct {
	Remove bool `flag:"remove" help:"say what removing each means, and how; nothing is removed"`
}

// ownPlace is the JSON row of a file or folder that ibid keeps.
type ownPlace struct {
	Path   string `json:"path"`
	Holds  string `json:"holds"`
	There  bool   `json:"there"`
	Remove string `json:"remove"` // the effect of removing it, and the way
}

// run lists every file and folder that ibid keeps, so that a person can take all of it away.
func (f *whereFlags) run(ctx context.Context, p *parts, _ []string) error {
	config := p.configPath()
	all := []ownPlace{
		{
			Path: config, Holds: "your settings",
			Remove: "each setting has its default again: delete it, or `ibid config unset KEY` for one",
		},
		{
			Path:   filepath.Join(filepath.Dir(config), keystore.InFile),
			Holds:  "keys of providers that no keyring keeps; others are in that of the system",
			Remove: "`ibid provider remove NAME` takes a key out of it, and out of the keyring",
		},
		{
			Path:   p.folder.state,
			Holds:  "what was used last, replies that were not saved, notes as they were before a change, reports of panics",
			Remove: "`ibid chats recover` and /undo-write bring nothing back any more: delete it",
		},
		{Path: p.folder.cache, Holds: "search indexes", Remove: "the next search makes them anew: delete it"},
	}
	if at, err := p.findVault(p.config, ""); err == nil {
		chats := ""
		err := p.withTarget(ctx, p.config, at, 0, func(_ context.Context, p *parts) error {
			chats = filepath.Join(p.dir, p.chats.Native())
			return nil
		})
		if err != nil {
			return err
		}
		all = append(all,
			ownPlace{
				Path: at.dir, Holds: "your notes, with all below",
				Remove: "ibid does without; it leaves your notes as they are",
			},
			ownPlace{
				Path: chats, Holds: "saved chats",
				Remove: "they are gone for good: `ibid chats delete FILE` moves one to .trash",
			},
			ownPlace{
				Path: filepath.Join(at.dir, ".ibid"), Holds: "pins of this vault",
				Remove: "nothing is pinned any more: delete it, or /unpin NOTE for one",
			})
	}
	for _, o := range all {
		_, err := os.Stat(o.Path)
		o.There = err == nil
		what, not := o.Holds, ""
		if !o.There {
			not = "  (not there)"
		}
		if f.Remove {
			what = o.Remove
		}
		p.printRow(o, fmt.Sprintf("%s%s\n    %s\n", oneLine(p.folder.tilde(o.Path)), not, what))
	}
	return nil
}
