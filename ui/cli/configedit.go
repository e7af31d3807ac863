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

	"ibid/chains/connect"
	"ibid/vault/ownfile"
)

// configFile changes tables of providers and single settings in a configuration file,
// and nothing else in it: not what it says, not its comments.
type configFile struct{ path string }

// add adds the table of a provider at the end.
func (f configFile) add(name string, c connect.Settings) error {
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
		lines := strings.SplitAfter(text, "\n")
		kept, from, inside := "", 0, false
		for _, s := range statementsOf(lines) {
			was := inside
			if inside = s.table == own || strings.HasPrefix(s.table, own+"."); !inside {
				continue
			}
			if !was {
				if kept = strings.TrimRight(kept+strings.Join(lines[from:s.line], ""), "\r\n\t "); kept != "" {
					kept += "\n"
				}
			}
			from = s.end
		}
		rest := strings.Join(lines[from:], "") // which may be about the next table
		if inside && !strings.Contains(rest, "#") {
			return kept
		}
		return kept + rest
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
	unlock, err := lockConfig(path)
	if err != nil {
		return err
	}
	defer unlock()
	data, err := ownfile.Read(path)
	switch info, statErr := os.Stat(path); {
	case statErr == nil:
		mode = info.Mode().Perm()
	case errors.Is(err, fs.ErrNotExist):
		err = nil
	}
	if err != nil {
		return fmt.Errorf("change the configuration: %w", err)
	}
	if _, err := parseConfig(f.path, data); err != nil {
		return err
	}
	old, marked := strings.CutPrefix(string(data), byteOrderMark)
	text := edit(old)
	before, was, err1 := without(old, key)
	after, is, err2 := without(text, key)
	if err1 != nil || err2 != nil || !done(was, is) || !reflect.DeepEqual(before, after) {
		return fmt.Errorf("change %s in %s: %w", key, f.path, errOtherwise)
	}
	if marked {
		text = byteOrderMark + text
	}
	if _, err := parseConfig(f.path, []byte(text)); err != nil {
		return usageError{err}
	}
	if err := ownfile.Replace(path, []byte(text), mode); err != nil {
		return fmt.Errorf("change the configuration: %w", err)
	}
	return nil
}

// lockConfig makes the folder of the configuration, and keeps others from changing the
// file until unlock.
func lockConfig(path string) (unlock func(), err error) {
	if err = os.MkdirAll(filepath.Dir(path), 0o700); err == nil {
		unlock, err = ownfile.Lock(path)
	}
	if err != nil {
		return nil, fmt.Errorf("change the configuration: %w", err)
	}
	return unlock, nil
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

// set gives a key a value, as TOML writes it: on the line that it has, else on a new one
// under the header of its table or behind one that is written with the name of that
// table, else in a new table at the end.
func (f configFile) set(key toml.Key, literal string) error {
	var file map[string]any
	if _, err := toml.Decode("v = "+literal, &file); err != nil {
		return fmt.Errorf("write %s = %s: %w", key, literal, err)
	}
	err := f.change(key, func(text string) string {
		end := "\n"
		if strings.Contains(text, "\r\n") {
			end = "\r\n"
		}
		lines := strings.SplitAfter(text, "\n")
		is, at := place(lines, key)
		line := at.name.String() + " = " + literal
		switch {
		case is:
			_, rest, _ := strings.Cut(strings.TrimSpace(lines[at.line]), "=")
			lines[at.line] = line + comment(rest) + lines[at.line][len(strings.TrimRight(lines[at.line], "\r\n")):]
		case at.line >= 0:
			if !strings.HasSuffix(lines[at.line], "\n") {
				lines[at.line] += end
			}
			lines = slices.Insert(lines, at.line+1, line+end)
		case len(key) == 1:
			lines = aboveTables(lines, line, end)
		default:
			if text = strings.TrimRight(text, "\r\n"); text != "" {
				text += end + end
			}
			return text + "[" + key[:len(key)-1].String() + "]" + end + line + end
		}
		return strings.Join(lines, "")
	}, func(_, after any) bool { return reflect.DeepEqual(after, file["v"]) })
	if errors.Is(err, errOtherwise) {
		return fmt.Errorf("%w: write it there yourself: %s = %s", err, key, literal)
	}
	return err
}

// unset removes the line of a key.
func (f configFile) unset(key toml.Key) error {
	return f.change(key, func(text string) string {
		lines := strings.SplitAfter(text, "\n")
		if is, at := place(lines, key); is {
			lines = slices.Delete(lines, at.line, at.line+1)
		}
		return strings.Join(lines, "")
	}, func(_, after any) bool { return after == nil })
}

// has reports whether a key at the top of the file has a value of this type, as
// toml.MetaData names types.
func (f configFile) has(key, typ string) bool {
	var file map[string]any
	meta, err := toml.DecodeFile(f.path, &file)
	return err == nil && meta.Type(key) == typ
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
func providerTable(name string, c connect.Settings) (string, error) {
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
