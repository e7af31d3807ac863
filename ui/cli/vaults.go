package cli

import (
	"cmp"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ibid/chains/connect"
	"ibid/history"
	"ibid/ui/cli/config"
	"ibid/ui/setup"
	"ibid/vault"
)

// target is the vault to open, with a chat to open or a note to attach, "" for none.
type target struct {
	dir, chat, note string
	source          vaultSource
	said            string // notice about how it was chosen, "" for none
}

// vaultSource is the way in which a vault was found. It decides whether the user is asked before the vault is
// opened.
type vaultSource int

const (
	byArgument vaultSource = iota
	byFlag
	bySettings // or by the folder of settings that Obsidian leaves in a vault
	byNotes    // the current folder holds notes
)

const (
	vaultsFile = "vaults.json" // file of the state folder: vaults and the times at which they were left
	mostVaults = 12            // limit of the list of latest vaults
)

// The groups of vaults on the page.
const (
	placeHere     = "This folder"
	placeRecent   = "Opened lately"
	placeObsidian = "Known to Obsidian"
)

// rememberVault records that a vault was open, and forgets vaults that are gone or beyond the limit. The sample is not
// recorded.
func (a *app) rememberVault(dir string) {
	if a.sample {
		return
	}
	a.hints().Touch(vaultsFile, dir)
	a.hints().Change(vaultsFile, func(all map[string]string) {
		left := a.leftVaults()
		maps.DeleteFunc(all, func(dir, _ string) bool { return !slices.Contains(left, dir) })
	})
}

// leftVaults returns the latest vaults that still exist, the last one first.
func (a *app) leftVaults() []string {
	return slices.DeleteFunc(a.hints().Latest(vaultsFile, mostVaults), func(dir string) bool {
		return !filepath.IsAbs(dir) || !isFolder(dir)
	})
}

// places returns all known vaults once, and errors in the lists of other programs.
func (a *app) places() (places []setup.Place, wrong []string) {
	add := func(dir, group, about string) {
		if !slices.ContainsFunc(places, func(o setup.Place) bool { return o.Dir == dir }) {
			places = append(places, a.placeAt(dir, group, about))
		}
	}
	for _, dir := range a.leftVaults() {
		add(dir, placeRecent, "")
	}
	known, wrong := vault.KnownVaults(a.env.Getenv, a.folder.home)
	for _, dir := range known {
		add(dir, placeObsidian, "")
	}
	for i := range wrong {
		wrong[i] = oneLine(wrong[i])
	}
	if dir := filepath.Clean(a.env.Dir); vault.UnusualFolder(dir, a.folder.home) == "" {
		add(dir, placeHere, map[bool]string{false: "no notes yet"}[vault.HasNotes(dir)])
	}
	return places, wrong
}

// placeAt describes a folder for the page.
func (a *app) placeAt(dir, group, about string) setup.Place {
	return setup.Place{
		Dir: dir, Shown: a.folder.tilde(dir), Group: group, About: about,
		Warning: vault.UnusualFolder(dir, a.folder.home),
	}
}

// errNoVault lets the screen ask for a vault where other commands fail.
var errNoVault = errors.New("no vault here")

// noVault returns errNoVault with advice.
func (a *app) noVault() error {
	hint := "`ibid demo` shows it on a sample vault"
	if known, _ := vault.KnownVaults(a.env.Getenv, a.folder.home); len(known) > 0 {
		hint = "Obsidian knows " + strings.Join(known[:min(len(known), 3)], ", ")
	}
	return connect.NewUsageError("start",
		"%w: name a folder of notes (ibid ~/notes, or --vault ~/notes), or set vault in %s; %s",
		errNoVault, a.folder.tilde(a.configPath()), oneLine(hint))
}

// findVault decides which vault and chat to open: an argument wins over flags, these over a chat file, the vault around
// the current folder, the configuration, and at last the current folder if it has notes.
func (a *app) findVault(c *Config, where string) (target, error) {
	at := target{chat: a.flags.Chat, source: bySettings}
	chat := a.path(at.chat)
	around, found := vault.Discover(a.env.Dir)
	switch {
	case where != "":
		return a.findNamed(c, where)
	case a.flags.Vault != "":
		at.dir, at.source = a.path(a.flags.Vault), byFlag
	case filepath.Ext(at.chat) == ".md" && fileExists(chat):
		return target{dir: a.vaultOf(c, chat), chat: chat}, nil
	case found:
		at.dir = around
	case c.Vault != "":
		at.dir = a.path(c.Vault)
	case vault.UnusualFolder(a.env.Dir, a.folder.home) != "" || !vault.HasNotes(a.env.Dir):
		return at, a.noVault()
	default:
		at.dir, at.source = filepath.Clean(a.env.Dir), byNotes
	}
	return at, nil
}

// findNamed decides between a folder, a chat and a note for an argument.
func (a *app) findNamed(c *Config, where string) (target, error) {
	path := a.path(where)
	if inVault := filepath.Join(a.path(a.flags.Vault), where); a.flags.Vault != "" && fileExists(inVault) &&
		!fileExists(path) && !isFolder(path) {
		path = inVault // the screen shows paths of chats so
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return target{}, usagef("%s: there is no such folder, chat or note, and no such command%s; see `ibid --help`",
			where, config.NearestName(where, wordsOf(a.root)))
	case err != nil:
		return target{}, err
	case info.IsDir():
		return target{dir: path, chat: a.flags.Chat}, nil
	case !strings.EqualFold(filepath.Ext(path), ".md"):
		return target{}, usagef("%s is neither a folder nor a chat or a note, which are .md files", where)
	}
	at := target{dir: a.vaultOf(c, path), chat: path}
	data, err := os.ReadFile(path)
	if _, _, no := history.Decode(data); err == nil && errors.Is(no, history.ErrNotChat) {
		at.chat, at.note = a.flags.Chat, path
	}
	return at, err
}

// warningFor returns the reason to ask before a target is opened, such as that it is the home folder, all of which
// would be read. It is "" if the settings name the folder.
func (a *app) warningFor(c *Config, at target) string {
	if at.source == bySettings || c.Vault != "" && a.path(c.Vault) == at.dir {
		return ""
	}
	return vault.UnusualFolder(at.dir, a.folder.home)
}

// saidOf returns the notices about a target, so that nobody is surprised by the folder.
func (a *app) saidOf(at target) (all []string) {
	if at.said != "" {
		all = append(all, at.said)
	}
	dir := a.folder.tilde(at.dir)
	if at.source == byNotes {
		all = append(all,
			"no vault is configured: the notes of "+dir+" are taken; --vault names another folder"+a.unsaved)
	} else if at.source == byArgument && !vault.HasNotes(at.dir) {
		all = append(all, dir+" holds no notes yet: ask all the same; what you write from here stands there")
	}
	return all
}

// vaultOf returns the vault of a chat or note that was named alone: --vault, else the vault around it, else the
// configured one if it is inside, else its folder.
func (a *app) vaultOf(c *Config, path string) string {
	parent := filepath.Dir(path)
	around, found := vault.Discover(parent)
	mine := a.path(cmp.Or(a.flags.Vault, c.Vault))
	_, inside := vault.Inside(mine, path)
	switch {
	case a.flags.Vault == "" && found:
		return around
	case a.flags.Vault != "", c.Vault != "" && inside:
		return mine
	}
	// Copilot and ibid keep chats in folders of these names in the vault.
	name := filepath.Base(parent)
	if name == "Chats" || name == "copilot-conversations" {
		parent = filepath.Dir(parent)
	}
	if name == "copilot-conversations" && filepath.Base(parent) == "copilot" {
		parent = filepath.Dir(parent)
	}
	return parent
}
