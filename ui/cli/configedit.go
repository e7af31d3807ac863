package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"

	"github.com/BurntSushi/toml"

	"ibid/ui/cli/keystore"
)

// configFile changes the tables of providers in a configuration file, and nothing
// else in it: not what it says, not its comments.
type configFile struct{ path string }

// add adds the table of a provider at the end.
func (f configFile) add(name string, c ProviderConfig) error {
	table, err := providerTable(name, c)
	if err != nil {
		return fmt.Errorf("write [providers.%s]: %w", name, err)
	}
	err = f.change(name, func(text string) string {
		if text = strings.TrimRight(text, "\r\n"); text != "" {
			text += "\n\n"
		}
		return text + table
	})
	if errors.Is(err, errOtherwise) {
		return fmt.Errorf("%w: write it there yourself:\n%s", err, table)
	}
	return err
}

// remove removes the table of a provider, with those below it.
func (f configFile) remove(name string) error {
	own := toml.Key{"providers", name}.String()
	return f.change(name, func(text string) string {
		kept, inside, after := "", false, "" // after is what may be about the next table
		for line := range strings.Lines(text) {
			trimmed := strings.TrimSpace(line)
			if strings.HasPrefix(trimmed, "[") {
				header, _, _ := strings.Cut(trimmed, "#")
				header = keyWritten(strings.Trim(header, "[] \t"))
				was := inside
				inside = header == own || strings.HasPrefix(header, own+".")
				switch {
				case inside && !was && kept != "":
					kept = strings.TrimRight(kept, "\r\n\t ") + "\n"
				case was && !inside:
					kept += after
				}
				after = ""
			}
			switch {
			case !inside:
				kept += line
			case trimmed == "" || strings.HasPrefix(trimmed, "#"):
				after += line
			default:
				after = ""
			}
		}
		if strings.Contains(after, "#") {
			kept += after
		}
		return kept
	})
}

// errOtherwise is for a file in which a table cannot be changed as a whole.
var errOtherwise = errors.New("the configuration has its providers in another form")

// change replaces the text of the file, if nothing but one provider changes by it.
func (f configFile) change(name string, edit func(text string) string) error {
	path, mode := f.path, fs.FileMode(0o600)
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	data, err := os.ReadFile(path)
	switch info, statErr := os.Stat(path); {
	case statErr == nil:
		mode = info.Mode().Perm()
	case errors.Is(err, fs.ErrNotExist):
		err = os.MkdirAll(filepath.Dir(path), 0o700)
	}
	if err != nil {
		return fmt.Errorf("change the configuration: %w", err)
	}
	before, err := parseConfig(f.path, data)
	if err != nil {
		return err
	}
	text := edit(string(data))
	after, err := parseConfig(f.path, []byte(text))
	_, was := before.Providers[name]
	_, is := after.Providers[name]
	delete(before.Providers, name)
	delete(after.Providers, name)
	same := len(before.Providers) == 0 && len(after.Providers) == 0 || reflect.DeepEqual(before.Providers, after.Providers)
	before.Providers, after.Providers = nil, nil
	if err != nil || was == is || !same || !reflect.DeepEqual(before, after) {
		return fmt.Errorf("change [providers.%s] in %s: %w", name, f.path, errOtherwise)
	}
	if err := keystore.Replace(path, []byte(text), mode); err != nil {
		return fmt.Errorf("change the configuration: %w", err)
	}
	return nil
}

// providerTable is the table of a provider, with what is set in it.
func providerTable(name string, c ProviderConfig) (string, error) {
	var text strings.Builder
	fmt.Fprintf(&text, "[%s]\n", toml.Key{"providers", name})
	for _, line := range []struct{ key, value string }{
		{"kind", string(c.Kind)},
		{"base_url", c.BaseURL},
		{"key_env", c.KeyEnv},
		{"key_command", c.KeyCommand},
		{"model", c.Model},
	} {
		if line.value == "" {
			continue
		}
		if err := toml.NewEncoder(&text).Encode(map[string]string{line.key: line.value}); err != nil {
			return "", err
		}
	}
	return text.String(), nil
}
