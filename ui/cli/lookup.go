package cli

import (
	"slices"

	"ibid/chains"
	"ibid/chains/tool"
	"ibid/ui/cli/config"
	"ibid/vault/undo"
)

// ToolsConfig configures the tools of models. Numbers that are 0 have the defaults of chains.Limits.
type ToolsConfig struct {
	Read chains.ReadPolicy `toml:"read" values:"all|ask|off" default:"all" help:"whether a model may look things up in the vault; ask asks once a chat" words:"permissions search"`
	Set  string            `toml:"set" values:"all|core" help:"which tools are offered" default:"all, or core where the window is below 32k"`
	Off  []string          `toml:"off" help:"tools that are not offered; ibid tool lists them" default:"none"`

	chains.Limits

	Batch any `toml:"batch" unused:"true"` // in files of earlier versions

	Web tool.Web `toml:"web"`
}

// mostRounds limits the setting, since each round is a request.
const mostRounds = 16

// check returns an error for values that the tags alone cannot reject.
func (c *ToolsConfig) check(wrong config.ErrorMaker) error {
	if c.Rounds > mostRounds {
		return wrong(config.Key{"tools", "rounds"}, " is %d; it can be 1 to %d", c.Rounds, mostRounds)
	}
	for _, name := range c.Off {
		if !slices.ContainsFunc(everyTool(), func(t chains.Tool) bool { return t.Spec().Name == name }) {
			return wrong(config.Key{"tools", "off"}, " names %q; `ibid tool` lists what there is", name)
		}
	}
	if c.Web.Search != "" {
		if err := tool.CheckSearch(c.Web.Search); err != nil {
			return wrong(config.Key{"tools", "web", "search"}, ": %w", err)
		}
	}
	return nil
}

// toolsWith returns the tools for these settings, for their descriptions only: they have no vault.
func toolsWith(web tool.Web) []chains.Tool {
	return tool.New(tool.Options{Web: web, Journal: undo.New(nil, undo.Options{})})
}

// everyTool returns all tools, whatever is configured.
func everyTool() []chains.Tool {
	return toolsWith(tool.Web{Search: "configured", Fetch: true})
}

func toolNames(all []chains.Tool) (names []string) {
	for _, t := range all {
		names = append(names, t.Spec().Name)
	}
	return names
}
