package cli

import (
	"context"
	"strings"

	"ibid/chains"
	"ibid/history"
	"ibid/ui/theme"
)

// lastChat returns the path of the latest chat outside of the archive, for --continue.
func (p *parts) lastChat(ctx context.Context) (string, error) {
	if p.chat != "" {
		return "", usagef("--continue and a chat to open exclude each other")
	}
	if p.store == nil {
		return "", usagef("--continue and --no-save exclude each other")
	}
	all, err := p.store.List(ctx)
	var last history.Summary
	for _, s := range all {
		if s.Modified.After(last.Modified) && !p.store.Archived(s.Path) {
			last = s
		}
	}
	if err == nil && last.Path == "" {
		err = usagef("--continue: no chat is saved in %s yet", p.store.Folder())
	}
	return string(last.Path), err
}

// resumeHint returns the line that stays on the terminal after the screen: the file of the chat, and the command that
// opens it again. It is "" if the chat is the one before and has no new turn.
func (p *parts) resumeHint(before chains.Snapshot) string {
	now := p.desk.Session().Snapshot()
	if p.sample || p.store == nil || now.Path == "" || now.Path == before.Path && now.Turns == before.Turns {
		return ""
	}
	return theme.OneLine(now.Path+" · "+p.resumeCommand()) + "\n"
}

// resumeCommand returns the command that goes on with the last chat.
func (p *parts) resumeCommand() string {
	command := "ibid --continue"
	add := func(flag, value string) { command += flag + "'" + strings.ReplaceAll(value, "'", `'\''`) + "'" }
	plain := app{env: p.env, folder: p.folder, flags: flags{Config: p.flags.Config}}
	if at, err := plain.findVault(p.config, ""); err != nil || at.dir != p.dir {
		add(" --vault ", p.dir)
	}
	if p.flags.Config != "" {
		add(" --config ", p.flags.Config)
	}
	return command
}
