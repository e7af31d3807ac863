package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"

	"ibid/ui/cli/keystore"
)

// configFile changes tables of providers and single settings in a configuration file,
// and nothing else in it: not what it says, not its comments.
type configFile struct{ path string }

// add adds the table of a provider at the end.
func (f configFile) add(name string, c ProviderConfig) error {
	table, err := providerTable(name, c)
	if err != nil {
		return fmt.Errorf("write [providers.%s]: %w", name, err)
	}
	err = f.change(toml.Key{"providers", name}, func(text string) string {
		if text = strings.TrimRight(text, "\r\n"); text != "" {
			text += "\n\n"
		}
		return text + table
	}, func(before, after any) bool { return before == nil && after != nil })
	if errors.Is(err, errOtherwise) {
		return fmt.Errorf("%w: write it there yourself:\n%s", err, table)
	}
	return err
}

// remove removes the table of a provider, with those below it.
func (f configFile) remove(name string) error {
	key := toml.Key{"providers", name}
	own := key.String()
	return f.change(key, func(text string) string {
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
	}, func(before, after any) bool { return before != nil && after == nil })
}

// errOtherwise is for a file in which a table cannot be changed as a whole.
var errOtherwise = errors.New("it is written there in another form")

// change replaces the text of the file, if nothing but what a key stands for changes
// by it. done reports whether that changed as it was to; nil is a key that is absent.
func (f configFile) change(key toml.Key, edit func(text string) string, done func(before, after any) bool) error {
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
	if _, err := parseConfig(f.path, data); err != nil {
		return err
	}
	text := edit(string(data))
	before, was, err1 := without(string(data), key)
	after, is, err2 := without(text, key)
	if err1 != nil || err2 != nil || !done(was, is) || !reflect.DeepEqual(before, after) {
		return fmt.Errorf("change %s in %s: %w", key, f.path, errOtherwise)
	}
	if _, err := parseConfig(f.path, []byte(text)); err != nil {
		return err
	}
	if err := keystore.Replace(path, []byte(text), mode); err != nil {
		return fmt.Errorf("change the configuration: %w", err)
	}
	return nil
}

// without is what a TOML text says but for a key, and what that says; tables that hold
// nothing else are left out.
func without(text string, key toml.Key) (rest map[string]any, value any, err error) {
	if _, err := toml.Decode(text, &rest); err != nil {
		return nil, nil, err
	}
	var cut func(table map[string]any, key toml.Key)
	cut = func(table map[string]any, key toml.Key) {
		if len(key) == 1 {
			value = table[key[0]]
			delete(table, key[0])
			return
		}
		inner, _ := table[key[0]].(map[string]any)
		if cut(inner, key[1:]); inner != nil && len(inner) == 0 {
			delete(table, key[0])
		}
	}
	cut(rest, key)
	return rest, value, nil
}

// set gives a key a text as its value: on the line that it has, else on a new one
// under the header of its table, else in a new table at the end.
func (f configFile) set(key toml.Key, value string) error {
	last := len(key) - 1
	line := fmt.Sprintf("%s = %s", toml.Key{key[last]}, quoted(value))
	err := f.change(key, func(text string) string {
		lines, header := strings.SplitAfter(text, "\n"), -1
		for i, at := 0, 0; i < len(lines); i++ {
			trimmed := strings.TrimSpace(lines[i])
			if strings.HasPrefix(trimmed, "[") {
				name, _, _ := strings.Cut(trimmed, "#")
				if at = 0; keyWritten(strings.Trim(name, "[] \t")) == key[:last].String() {
					at, header = 1, i
				}
				continue
			}
			name, rest, is := strings.Cut(trimmed, "=")
			if at == 1 && is && keyWritten(strings.TrimSpace(name)) == (toml.Key{key[last]}).String() {
				end := lines[i][len(strings.TrimRight(lines[i], "\r\n")):]
				lines[i] = line + comment(rest) + end
				return strings.Join(lines, "")
			}
		}
		if header < 0 {
			if text = strings.TrimRight(text, "\r\n"); text != "" {
				text += "\n\n"
			}
			return text + "[" + key[:last].String() + "]\n" + line + "\n"
		}
		if !strings.HasSuffix(lines[header], "\n") {
			lines[header] += "\n"
		}
		return strings.Join(slices.Insert(lines, header+1, line+"\n"), "")
	}, func(_, after any) bool { return after == value })
	if errors.Is(err, errOtherwise) {
		return fmt.Errorf("%w: write it there yourself: %s", err, line)
	}
	return err
}

// comment is what stands behind a value, with the blanks before it.
func comment(value string) string {
	for i := range value {
		var v map[string]any
		if value[i] != '#' {
			continue
		}
		if _, err := toml.Decode("v ="+value[:i], &v); err == nil {
			return value[len(strings.TrimRight(value[:i], " \t")):]
		}
	}
	return ""
}

// quoted is a text as TOML writes it.
func quoted(text string) string {
	var b strings.Builder
	if err := toml.NewEncoder(&b).Encode(map[string]string{"v": text}); err != nil {
		return strconv.Quote(text)
	}
	return strings.TrimSpace(strings.TrimPrefix(b.String(), "v ="))
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
