package cli

import (
	"encoding/json"
	"os"
	"path/filepath"

	"ibid/ui/cli/keystore"
	"ibid/vault/ownfile"
)

// lastModel is the model that answered last at a server, "" if none did.
func (a *app) lastModel(base string) string { return a.kept("models.json")[base] }

// remember keeps which model answered at a server.
func (a *app) remember(base, model string) { a.keep("models.json", base, model) }

// kept reads a small file of the state folder: hints for the next time.
func (a *app) kept(name string) map[string]string {
	hints := map[string]string{}
	data, err := ownfile.Read(filepath.Join(a.folder.state, name))
	if err != nil || json.Unmarshal(data, &hints) != nil {
		return map[string]string{} // nothing is known yet, as far as anybody can tell
	}
	return hints
}

// keep adds to a small file of the state folder. Failing to is no reason to
// bother anybody.
func (a *app) keep(name, key, value string) {
	if a.kept(name)[key] != value {
		changeKept(a, name, func(all map[string]string) { all[key] = value })
	}
}

// changeKept changes such a file, which no other process changes meanwhile.
func changeKept(a *app, name string, change func(all map[string]string)) {
	if os.MkdirAll(a.folder.state, 0o700) != nil {
		return
	}
	file := filepath.Join(a.folder.state, name)
	unlock, err := keystore.Lock(file)
	if err != nil {
		return
	}
	defer unlock()
	all := a.kept(name)
	change(all)
	if data, err := json.MarshalIndent(all, "", "  "); err == nil {
		_ = ownfile.Replace(file, data, 0o600)
	}
}
