package cli

import (
	"context"
	"strings"

	"ibid/ui"
	"ibid/vault/md"
)

// actionsFile is the file of the state folder with the latest actions of the palette.
const actionsFile = "actions.json"

// inputOf returns the settings of keys and the mouse.
func (p *parts) inputOf() ui.Input {
	hints := p.hints()
	return ui.Input{
		NoMouse:    !p.config.Screen.Mouse,
		Vim:        p.config.Screen.Vim,
		Keys:       p.config.Keys,
		Recent:     hints.Latest(actionsFile, 5),
		KeepRecent: func(name string) { hints.Touch(actionsFile, name) },
	}
}

// listKeys prints the keys of the screen, with remarks about keys that two actions have.
func listKeys(_ context.Context, p *parts, _ []string) error {
	all, conflicts, err := ui.ListKeys(p.config.Keys)
	if err != nil {
		return err
	}
	for _, line := range conflicts {
		p.remark("%s", line)
	}
	var rows [][]string
	for _, k := range all {
		rows = append(rows, []string{k.Action, strings.Join(k.Keys, "  "), k.Where, k.Does})
	}
	lines := md.Columns(rows, false)
	for i, k := range all {
		p.printRow(k, lines[i]+"\n")
	}
	return nil
}
