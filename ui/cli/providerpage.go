package cli

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"ibid/chains/connect"
	"ibid/chains/wire"
	"ibid/ui/setup"
)

// providerPage implements setup.Providers. It reads the configuration each time, which the page itself changes, and
// asks nothing at the terminal, which the screen has.
type providerPage struct{ app *app }

// unflagged returns the providers without the flags of the command line, which were not meant for the provider on the
// page. --offline still holds.
func (p providerPage) unflagged() (*connect.Providers, error) {
	all, err := p.app.configured()
	all.Flags = connect.Flags{Offline: all.Flags.Offline}
	return all, err
}

// List returns the configured providers and those with a key, followed by the others that can be added by name.
func (p providerPage) List(ctx context.Context) (list []setup.Provider, err error) {
	all, err := p.app.configured()
	if err != nil {
		return nil, err
	}
	there, _, err := all.List(ctx)
	for _, o := range there {
		list = append(list, setup.Provider{
			Name: o.Name, Address: o.BaseURL, State: o.Text, Ready: o.Ready(), Answers: o.Answers,
		})
	}
	for _, known := range wire.Providers() {
		if known.BaseURL != "" &&
			!slices.ContainsFunc(there, func(o connect.Provider) bool { return o.Name == known.Name }) {
			list = append(list, setup.Provider{Name: known.Name, Address: known.BaseURL, Known: true})
		}
	}
	return list, err
}

// Add tests a provider and adds it. The error of a failed test is its first wrong finding.
func (p providerPage) Add(ctx context.Context, what, key string) (said string, err error) {
	all, err := p.unflagged()
	if err != nil {
		return "", err
	}
	add := connect.Addition{What: what}
	if key != "" {
		add.Key = func() (string, error) { return key, nil }
	}
	var wrong error
	_, said, err = all.Add(ctx, add, firstWrong(&wrong))
	return said, cmp.Or(wrong, err)
}

// firstWrong returns options that keep the first wrong finding of a check, and send no requests to models.
func firstWrong(wrong *error) connect.CheckOptions {
	return connect.CheckOptions{Say: func(f connect.Finding) {
		if *wrong == nil && f.State == connect.StateWrong {
			*wrong = errors.New(strings.TrimSuffix(f.Field+" "+f.Text+" → "+f.Fix, " → "))
		}
	}}
}

// Test checks a provider, also with requests to a model. The error is the first wrong finding.
func (p providerPage) Test(ctx context.Context, name string) (string, error) {
	all, err := p.unflagged()
	if err != nil {
		return "", err
	}
	var wrong error
	how := firstWrong(&wrong)
	how.Ask = true
	_, err = all.Test(ctx, name, how)
	return "nothing is wrong with " + name, cmp.Or(wrong, err)
}

// Remove removes a provider and its key.
func (p providerPage) Remove(ctx context.Context, name string) (string, error) {
	all, err := p.unflagged()
	if err != nil {
		return "", err
	}
	return all.Remove(ctx, name)
}
