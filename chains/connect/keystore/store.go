package keystore

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"time"

	"github.com/pelletier/go-toml/v2"
	"github.com/zalando/go-keyring"

	"ibid/vault/ownfile"
	"ibid/vault/routine"
)

// Where a key was found, or is kept.
const (
	InKeyring = "the keyring"
	InFile    = "keys.toml"
)

// service is the name of the program in the keyring.
const service = "ibid"

// ringTime is the limit of time for the keyring, which may wait for a password or hang.
const ringTime = 5 * time.Second

// Store stores keys by the names of providers.
type Store struct {
	File   string // the keys that the keyring does not take
	NoRing bool   // do without the keyring

	ring ring // of the system if it has no functions
}

// ring has the functions of a keyring.
type ring struct {
	get    func(service, user string) (string, error)
	set    func(service, user, password string) error
	remove func(service, user string) error
}

// Find gives the key of a provider and where it was, "" if there is none; with an error
// where it may be. A keyring that is not there, or does not answer, holds none.
func (s Store) Find(ctx context.Context, name string) (key, source string, err error) {
	found, _ := s.ask(ctx, func(r ring) (string, error) { return r.get(service, name) })
	if key = Clean(found); key != "" {
		return key, InKeyring, nil
	}
	all, err := s.read()
	if key = Clean(all[name]); key != "" || err != nil {
		source = InFile
	}
	return key, source, err
}

// Put keeps the key of a provider in place of the one that was kept, and says where:
// in the keyring, else in the file.
func (s Store) Put(ctx context.Context, name, key string) (source string, err error) {
	if _, err := s.ask(ctx, func(r ring) (string, error) { return "", r.set(service, name, key) }); err == nil {
		return InKeyring, s.change(name, "")
	}
	if err := ctx.Err(); err != nil {
		return "", err
	}
	return InFile, s.change(name, key)
}

// Remove removes the key of a provider from wherever it is.
func (s Store) Remove(ctx context.Context, name string) error {
	_, err := s.ask(ctx, func(r ring) (string, error) { return "", r.remove(service, name) })
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if errors.Is(err, errSilent) { // it may hold the key
		return fmt.Errorf("remove the key of %s from the keyring: %w", name, err)
	}
	return s.change(name, "")
}

var errSilent = errors.New("it does not answer")

// ask does something with the keyring, whose calls cannot be stopped.
func (s Store) ask(ctx context.Context, do func(ring) (string, error)) (string, error) {
	if s.NoRing {
		return "", errors.New("there is no keyring")
	}
	r := s.ring
	if r.get == nil {
		r = ring{keyring.Get, keyring.Set, keyring.Delete}
	}
	inner, cancel := context.WithTimeout(ctx, ringTime)
	defer cancel()
	key, err := routine.Await(inner, func() (string, error) { return do(r) })
	if inner.Err() != nil && ctx.Err() == nil {
		err = errSilent
	}
	return key, err
}

// read reads the file. One that is not there is empty; one that others may read is
// an error.
func (s Store) read() (map[string]string, error) {
	all := map[string]string{}
	data, err := ownfile.Read(s.File)
	if errors.Is(err, fs.ErrNotExist) {
		return all, nil
	}
	var info fs.FileInfo
	if err == nil {
		info, err = os.Stat(s.File)
	}
	if err != nil {
		return nil, fmt.Errorf("read the keys: %w", err)
	}
	if runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		return nil, fmt.Errorf("read the keys: others may read %s; run `chmod 600 %[1]q`", s.File)
	}
	if toml.Unmarshal(data, &all) != nil { // the error may quote a key
		return nil, fmt.Errorf("read the keys: each line of %s must be NAME = \"KEY\"", s.File)
	}
	return all, nil
}

// change keeps a key in the file, or removes it if it is "".
func (s Store) change(name, key string) (err error) {
	if _, err := os.Stat(s.File); key == "" && errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return ownfile.Change(s.File, "keep the key of "+name, func(data []byte) ([]byte, error) {
		all, err := s.read()
		if err != nil || all[name] == key {
			return data, err
		}
		if all[name] = key; key == "" {
			delete(all, name)
		}
		text, err := toml.Marshal(all)
		return append([]byte("# Keys of providers, kept by `ibid provider add`.\n"), text...), err
	})
}
