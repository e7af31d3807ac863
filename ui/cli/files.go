package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"ibid/context/prompt"
	"ibid/vault"
)

// namedFiles are what came on standard input, and the files that --file names: those of the
// vault as its notes and images, others as texts that came with the turn.
func (p *parts) namedFiles(ctx context.Context) (all []prompt.Ref, err error) {
	give := func(name, text string) {
		ref := prompt.GivenRef(name)
		for n := 2; p.texts[ref] != ""; n++ { // files of several folders may have one name
			ref = prompt.GivenRef(fmt.Sprintf("%s (%d)", name, n))
		}
		p.texts[ref], all = text, append(all, ref)
	}
	if strings.TrimSpace(p.stdin) != "" {
		give("", p.stdin)
	}
	for _, name := range p.files {
		path := p.path(name)
		if inside, ok := vault.Inside(p.dir, path); ok {
			ref := prompt.Ref{Kind: prompt.Note, ID: string(inside)}
			if prompt.IsPicture(inside.Base()) {
				ref.Kind = prompt.Picture
			}
			if _, missing, _ := p.gather.Gather(ctx, []prompt.Ref{ref}); len(missing) > 0 {
				return nil, usagef("%s", missing[0].Reason)
			}
			all = append(all, ref)
			continue
		}
		text, err := p.readFile(ctx, name, path)
		if err != nil {
			return nil, err
		}
		give(filepath.Base(path), text)
	}
	return all, nil
}

// readFile is the text of a file outside of the vault.
func (p *parts) readFile(ctx context.Context, name, path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", usagef("--file: %w", err)
	}
	defer f.Close() //nolint:errcheck // it was read
	text, err := readText(ctx, f, name, " (copy it into the vault: notes and images go along from there)")
	if err == nil && strings.TrimSpace(text) == "" {
		err = usagef("--file: %s is empty: nothing was sent", name)
	}
	return text, err
}
