package cli

import (
	"cmp"
	"os"

	"ibid/chains"
	"ibid/chains/desk"
)

func (a *app) configPath() string {
	return a.path(cmp.Or(a.flags.Config, a.folder.config))
}

// settings reads the configuration and checks the flags that have few values.
func (a *app) settings() (*Config, error) {
	path := a.configPath()
	if _, err := os.Stat(path); err != nil && a.flags.Config != "" {
		return new(Config), usagef("--config: there is no file %s", path)
	}
	c, err := ReadConfig(path)
	if err != nil {
		return &c, usageError{err}
	}
	if a.flags.Bare && a.flags.Active != "" && a.flags.Active != desk.Off {
		return &c, usagef("--bare and --active exclude each other: --note attaches a note")
	}
	return c.with(a.env.Getenv), cmp.Or(
		checkFlag("layout", a.flags.Layout, "auto", "strict", "append"),
		checkFlag("chain", a.flags.Chain, chainNames()...),
	)
}

// chainNames are the values of --chain.
func chainNames() (names []string) {
	for _, c := range chains.Chains() {
		names = append(names, c.Name())
	}
	return names
}
