package config

import (
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"strings"

	"ibid/vault/ownfile"
)

// byteOrderMark begins the files of some editors.
const byteOrderMark = "\ufeff"

// File is a configuration file. The fields of T are its settings, see the package.
type File[T any] struct {
	Path  string
	Check func(*T, ErrorMaker) error // finds wrong values that the tags cannot tell; may be nil

	Env, Flag func(name string) string // return the values of variables and flags, "" for none; may be nil
}

// ErrorMaker makes the error about a setting. It adds the line of the file.
type ErrorMaker func(key Key, format string, args ...any) error

// Mistake is an error that the user has to correct in the file or the command. It is one line.
type Mistake string

func (m Mistake) Error() string { return string(m) }

func mistakef(format string, args ...any) error { return Mistake(fmt.Errorf(format, args...).Error()) }

// Read returns the content of the file, and all settings with their values from the file, flags and variables. A
// missing file is empty. If the user has to correct the file, the error is a [Mistake] with the line.
func (f File[T]) Read() (c T, all []Setting, err error) { return f.read(nil) }

// read is like Read. It adds the setting of a key in a table that the file lacks, so that it can be set.
func (f File[T]) read(also Key) (c T, all []Setting, err error) {
	data, err := ownfile.Read(f.Path)
	c, all, wrong := f.parse(string(data), also)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return c, nil, mistakef("read the configuration: %w", err)
	}
	return c, all, wrong
}

// Find returns the setting of a name. The error suggests a similar one.
func (f File[T]) Find(name string) (Setting, error) {
	key := ParseKey(name)
	if strings.EqualFold(name, "chats") {
		key = Key{"chats", "folder"}
	}
	_, all, err := f.read(key)
	for _, s := range all {
		if foldName(s.Key.String()) == foldName(key.String()) {
			return s, err
		}
	}
	if err == nil {
		err = mistakef("there is no setting %q%s", key, nearestKey(key, all))
	}
	return Setting{}, err
}

// foldName removes the differences that people do not care about.
func foldName(name string) string { return strings.ReplaceAll(strings.ToLower(name), "-", "_") }

// Set writes the value of a setting into the file, or with nil removes it, so that its default counts. It returns the
// setting as it counts then.
func (f File[T]) Set(name string, value *string) (Setting, error) {
	s, err := f.Find(name)
	switch {
	case err != nil:
	case s.Tag.Get("private") != "":
		err = mistakef(
			"%s may hold a secret, and is not set here: write it into %s, or let `ibid provider add` do that",
			s.Key, f.Path)
	case value != nil:
		var literal string
		if literal, err = s.literal(*value); err == nil {
			err = f.change(s.Key, s.Key.String()+" = "+literal, func(text string) string {
				return withKey(text, s.Key, literal)
			})
		}
	case s.InFile:
		err = f.change(s.Key, "", func(text string) string { return withoutKey(text, s.Key) })
	}
	if err != nil {
		return s, err
	}
	return f.Find(name)
}

// AddTable adds a table at the end of the file. texts are pairs of name and value; empty values are left out.
func (f File[T]) AddTable(key Key, texts [][2]string) error {
	table := "[" + key.String() + "]\n"
	for _, text := range texts {
		if text[1] != "" {
			table += text[0] + " = " + Quote(text[1]) + "\n"
		}
	}
	return f.change(key, table, func(text string) string { return atEnd(text, table, "\n") })
}

// RemoveTable removes a table and those below it.
func (f File[T]) RemoveTable(key Key) error {
	return f.change(key, "", func(text string) string { return withoutTable(text, key) })
}

// change edits the text of the file. It parses the text before and after, and writes it only if nothing but the value
// of the key changed, and that to the one in want, a text in TOML with this key alone; "" means that the key goes.
func (f File[T]) change(key Key, want string, edit func(text string) string) error {
	return ownfile.Change(ownfile.RealPath(f.Path), "change the configuration", func(data []byte) ([]byte, error) {
		if _, _, err := f.parse(string(data), nil); err != nil {
			return nil, err
		}
		old, marked := strings.CutPrefix(string(data), byteOrderMark)
		text := edit(old)
		before, _ := decode(old)
		after, err := decode(text)
		says, _ := decode(want)
		cutKey(before, key)
		if err != nil || !reflect.DeepEqual(cutKey(after, key), cutKey(says, key)) ||
			!reflect.DeepEqual(before, after) {
			if want != "" {
				want = ": write it there yourself: " + want
			}
			return nil, fmt.Errorf("change %s in %s: it is written there in another form%s", key, f.Path, want)
		}
		if marked {
			text = byteOrderMark + text
		}
		_, _, err = f.parse(text, nil)
		return []byte(text), err
	})
}

// cutKey removes a key from a parsed text, with tables that are empty then, and returns its value.
func cutKey(table map[string]any, key Key) (value any) {
	inner, _ := table[key[0]].(map[string]any)
	if len(key) == 1 {
		value = table[key[0]]
	} else if value = cutKey(inner, key[1:]); inner == nil || len(inner) > 0 {
		return value
	}
	delete(table, key[0])
	return value
}
