package cli

import (
	"context"
	"reflect"

	"ibid/ui"
)

// settingPage is the configuration for the page of the screen.
type settingPage struct{ settingTools }

var _ ui.Settings = settingPage{}

// List implements ui.Settings.
func (p settingPage) List(context.Context) ([]ui.Setting, error) {
	c, _, err := p.read()
	if err != nil {
		return nil, err
	}
	all, err := p.list()
	var list []ui.Setting
	for i := range all {
		list = append(list, p.row(&c, &all[i]))
	}
	return list, err
}

// row is a setting for the page.
func (p settingPage) row(c *Config, s *current) ui.Setting {
	row := ui.Setting{Key: s.key.String(), Help: s.tag.Get("help"), Value: s.shown, From: s.from, Values: s.values(c)}
	if s.value.Kind() == reflect.Slice && s.value.Type().Elem().Kind() == reflect.String && s.tag.Get("private") == "" {
		for _, v := range s.value.Seq2() {
			row.List = append(row.List, v.String())
		}
	}
	switch {
	case s.tag.Get("private") != "":
		row.Fixed = "it may hold a secret: write it into " + p.folder.tilde(p.configPath())
	case s.key.String() == "keys":
		row.Fixed = "one action at a time: /config keys.retry ctrl+y; `ibid keys` names the actions"
	case s.value.Kind() == reflect.Map:
		row.Fixed = "it is a table: write it into " + p.folder.tilde(p.configPath())
	}
	return row
}

// Set implements ui.Settings.
func (p settingPage) Set(_ context.Context, key, value string) (ui.Setting, string, error) {
	s, err := p.setTo(key, value)
	if err != nil {
		return ui.Setting{}, "", err
	}
	c, _, err := p.read()
	return p.row(&c, &s), p.said(&s), err
}
