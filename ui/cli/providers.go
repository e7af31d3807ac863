package cli

import (
	"path/filepath"
	"time"

	"ibid/chains/connect"
	"ibid/chains/connect/keystore"
)

// providers is the providers of this run. parts says what they are for, nil is a command
// about them.
func (a *app) providers(c *Config, p *parts) *connect.Providers {
	o := connect.Options{
		Config: c.Config, Flags: a.flags.Flags, Getenv: a.env.Getenv, Tables: settingTools{a}, Hints: a.hints(), Path: a.path, Version: a.env.Version, OneTurn: true,
		Keys: keystore.Store{File: filepath.Join(filepath.Dir(a.configPath()), keystore.InFile), NoRing: a.env.Getenv("IBID_KEYRING") == "off"},
	}
	o.Config.Chats, o.Config.Widen = c.Chats.Chats, c.Search.Widen
	if a.flags.Record != "" {
		o.Record = a.path(a.flags.Record)
	}
	if terminal(a.env.Stdout) { // a person reads along
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

// configured is the providers of a command about them.
func (a *app) configured() (*connect.Providers, error) {
	c, err := a.settings()
	return a.providers(c, nil), err
}
