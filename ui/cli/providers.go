package cli

import (
	"path/filepath"
	"time"

	"ibid/chains/connect"
	"ibid/chains/connect/keystore"
)

// providers makes the view of the providers for a command. p has its needs; nil is for commands about providers, which
// hold no conversation.
func (a *app) providers(c *Config, p *parts) *connect.Providers {
	o := connect.Options{
		Config: c.Config, Flags: a.flags.Flags, Getenv: a.env.Getenv, Tables: settingTools{a}, Hints: a.hints(),
		Path: a.path, Version: a.env.Version, OneTurn: true,
		Keys: keystore.Store{
			File:   filepath.Join(filepath.Dir(a.configPath()), keystore.InFile),
			NoRing: a.env.Getenv("IBID_KEYRING") == "off",
		},
	}
	o.Config.Chats, o.Config.Widen = c.Chats.Chats, c.Search.Widen
	if a.flags.Record != "" {
		o.Record = a.path(a.flags.Record)
	}
	if terminal(a.env.Stdout) { // a person sees the offline model write
		o.Delay = 12 * time.Millisecond
	}
	if p != nil {
		o.Log, o.Screen, o.OneTurn = p.log, p.needs&onScreen != 0, p.needs&oneTurn != 0
		o.Reload = func() (map[string]connect.Settings, error) {
			now, err := a.settings()
			return now.Providers, err
		}
	}
	return connect.New(o)
}

// configured returns the providers of the configuration as it is now. With an error they are those that need none.
func (a *app) configured() (*connect.Providers, error) {
	c, err := a.settings()
	return a.providers(c, nil), err
}
