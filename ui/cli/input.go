package cli

import (
	"context"
	"errors"
	"strings"

	"ibid/ui"
	"ibid/ui/cli/config"
	"ibid/ui/keys"
)

// actionsFile holds, in the state folder, when actions were chosen last from the palette.
const actionsFile = "actions.json"

// checkKeys refuses actions and keys that there are none of.
func (c *Config) checkKeys(wrong config.ErrorMaker) error {
	if len(c.Keys) == 0 {
		return nil // the usual keys cost a millisecond of each start
	}
	all, _, err := ui.ListKeys(c.Keys)
	var bad *keys.Error
	if !errors.As(err, &bad) {
		return err
	}
	near := ""
	if bad.Unknown {
		var names []string
		for _, k := range all {
			names = append(names, k.Action)
		}
		near = config.NearestName(bad.Action, names)
	}
	return wrong(config.Key{"keys", bad.Action}, ": %w%s", bad, near)
}

// inputOf is how keys and the mouse work.
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

// listKeys prints the keys of the screen.
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
	lines := columns(rows, 0)
	for i, k := range all {
		p.printRow(k, lines[i]+"\n")
	}
	return nil
}
