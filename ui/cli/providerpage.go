package cli

import (
	"context"
	"errors"
	"slices"

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

// Add adds a provider, and with test checks it first.
func (p providerPage) Add(ctx context.Context, what, key string, test bool) (said string, found []setup.Finding,
	err error,
) {
	all, err := p.unflagged()
	if err != nil {
		return "", nil, err
	}
	add := connect.Addition{What: what, Untested: !test}
	if key != "" {
		add.Key = func() (string, error) { return key, nil }
	}
	if _, said, err = all.Add(ctx, add, gatherFindings(&found)); errors.Is(err, connect.ErrUntested) {
		err = errors.New("it is not added")
	}
	return said, found, err
}

// gatherFindings returns options that append the findings of a check to a slice, and send no requests to models.
func gatherFindings(found *[]setup.Finding) connect.CheckOptions {
	return connect.CheckOptions{Say: func(f connect.Finding) {
		*found = append(*found, setup.Finding{
			Wrong: f.State == connect.StateWrong, Text: f.Field + " " + f.Text, Fix: f.Fix,
		})
	}}
}

// Test checks a provider, also with requests to a model. The error is the first wrong finding.
func (p providerPage) Test(ctx context.Context, name string) (string, error) {
	all, err := p.unflagged()
	if err != nil {
		return "", err
	}
	var found []setup.Finding
	how := gatherFindings(&found)
	how.Ask = true
	if ok, err := all.Test(ctx, name, how); ok || err != nil {
		return "nothing is wrong with " + name, err
	}
	return "", errors.New(found[slices.IndexFunc(found, func(f setup.Finding) bool { return f.Wrong })].Text)
}

// Remove removes a provider and its key.
func (p providerPage) Remove(ctx context.Context, name string) (string, error) {
	all, err := p.unflagged()
	if err != nil {
		return "", err
	}
	return all.Remove(ctx, name)
}
