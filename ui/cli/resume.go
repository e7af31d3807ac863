package cli

import (
	"context"
	"path/filepath"
	"strings"

	"ibid/chains"
	"ibid/history"
	"ibid/ui/theme"
)

// lastChat is the chat that was changed last, for --continue.
func lastChat(ctx context.Context, p *parts) (string, error) {
	if p.chat != "" {
		return "", usagef("--continue and a chat to open exclude each other")
	}
	if p.store == nil {
		return "", usagef("--continue and --no-save exclude each other")
	}
	all, err := p.store.List(ctx)
	if err != nil {
		return "", err
	}
	var last history.Summary
	for _, s := range all {
		if s.Modified.After(last.Modified) && !p.store.Archived(s.Path) {
			last = s
		}
	}
	if last.Path == "" {
		return "", usagef("--continue: no chat is saved in %s yet", p.store.Folder())
	}
	return string(last.Path), nil
}

// resumeHint is the line that stays on the terminal after the screen: where the chat is
// kept, and the command that opens it again. It is "" if nothing was said since before.
func resumeHint(a *app, p *parts, before chains.Snapshot) string {
	now := p.desk.Session().Snapshot()
	if a.sample || p.store == nil || now.Path == "" || now.Path == before.Path && now.Turns == before.Turns {
		return ""
	}
	command := "ibid --continue"
	plain := app{env: a.env, folder: a.folder, flags: flags{Config: a.flags.Config}}
	if at, err := (vaultTools{&plain}).find(p.config, ""); err != nil || at.dir != p.dir {
		command += " --vault " + shellQuote(p.dir)
	}
	if a.flags.Config != "" {
		command += " --config " + shellQuote(a.flags.Config)
	}
	return theme.OneLine(now.Path) + " · " + theme.OneLine(command) + "\n"
}

// shellQuote writes a word so that a shell reads it as it is.
func shellQuote(s string) string {
	odd := func(r rune) bool {
		return !strings.ContainsRune("/._-+,:=@%", r) && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') && r != filepath.Separator
	}
	if s != "" && !strings.ContainsFunc(s, odd) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
