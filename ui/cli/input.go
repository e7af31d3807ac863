package cli

import (
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"ibid/ui"
	"ibid/ui/cli/config"
	"ibid/ui/keys"
)

// actionsFile holds, in the state folder, when actions were chosen last from the palette.
const actionsFile = "actions.json"

// checkKeys refuses actions and keys that there are none of.
func (c *Config) checkKeys(wrong config.Wrong) error {
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
		near = config.Nearest(bad.Action, names)
	}
	return wrong(config.Key{"keys", bad.Action}, ": %w%s", bad, near)
}

// inputOf is how keys and the mouse work.
func (p *parts) inputOf() ui.Input {
	hints := p.hints()
	return ui.Input{
		NoMouse: !isOn(p.config.Screen.Mouse),
		Vim:     p.config.Screen.Vim,
		Keys:    p.config.Keys,
		Recent:  hints.Latest(actionsFile, 5),
		KeepRecent: func(name string) {
			hints.Set(actionsFile, name, time.Now().UTC().Format("2006-01-02T15:04:05.000Z"))
		},
	}
}

// listKeys prints the keys of the screen.
func (a commands) listKeys(*cobra.Command, []string) error {
	cfg, err := a.settings()
	if err != nil {
		return err
	}
	all, conflicts, err := ui.ListKeys(cfg.Keys)
	if err != nil {
		return err
	}
	for _, line := range conflicts {
		a.remark("%s", line)
	}
	keys, where := 0, 0
	for _, k := range all {
		keys, where = max(keys, utf8.RuneCountInString(strings.Join(k.Keys, "  "))), max(where, utf8.RuneCountInString(k.Where))
	}
	for _, k := range all {
		row := fmt.Sprintf("%-15s  %-*s  %-*s  %s", k.Action, keys, strings.Join(k.Keys, "  "), where, k.Where, k.Does)
		a.printRow(k, strings.TrimRight(row, " ")+"\n")
	}
	return nil
}
