package desk

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"ibid/chains"
	"ibid/vault"
	"ibid/vault/undo"
)

// The default folders of prompts: that of Obsidian Copilot if it exists.
const (
	copilotPrompts = "copilot/copilot-custom-prompts"
	ownPrompts     = "Prompts"
)

// The properties of a saved prompt, which Copilot uses, too.
const (
	slashKey = "copilot-command-slash-enabled"
	menuKey  = "copilot-command-context-menu-enabled"
	orderKey = "copilot-command-context-menu-order"
	modelKey = "copilot-command-model-key"
	usedKey  = "copilot-command-last-used"
)

// promptsFile is the file of the state folder that records when prompts were used last, by the path of the file.
const promptsFile = "prompts.json"

// PromptOptions configure where prompts are saved, and the models that they ask for. The zero value uses the default
// folders.
type PromptOptions struct {
	Folder string // inside the vault, "" for the default ones

	// Model returns the options of a model that a prompt asks for; nil if there is none to choose. at is the
	// provider of the chat. The error is in words for the user.
	Model func(ctx context.Context, at, name string) (chains.Options, error)
}

// Prompts gives access to the saved prompts of a vault.
type Prompts struct {
	vault *vault.Vault
	opts  *Options
}

// Prompts returns the saved prompts of the vault.
func (d *Desk) Prompts() *Prompts { return &Prompts{d.opts.Vault, &d.opts} }

// Prompt is a note with a saved prompt.
type Prompt struct {
	Path    vault.Path `json:"path"`
	Name    string     `json:"name"`            // path in the folder of prompts, without .md
	Word    string     `json:"-"`               // word that runs it after a slash, "" if only /prompt does
	Order   float64    `json:"-"`               // place in Copilot's menu, +Inf if it has none
	Model   string     `json:"model,omitempty"` // model that it asks for, "" for none
	Used    time.Time  `json:"used,omitzero"`   // time of last use, zero if unknown
	Hidden  bool       `json:"-"`               // Copilot does not list it among its commands
	Private bool       `json:"private"`         // it must stay on this machine
}

// Folder returns the folder of saved prompts, which may not exist yet.
func (s *Prompts) Folder() vault.Path {
	if p, err := vault.ParsePath(s.opts.Prompts.Folder); err == nil && p != "" {
		return p
	}
	folders := s.vault.Folders()
	for _, name := range []string{copilotPrompts, ownPrompts} {
		if p, ok := vault.FolderNamed(folders, name); ok {
			return p
		}
	}
	return ownPrompts
}

// List returns the prompts that the vault knows without reading the disk: the last used first, then by Copilot's
// order, then by name.
func (s *Prompts) List() []Prompt {
	folder := s.Folder()
	last := s.opts.hints().Read(promptsFile)
	var all []Prompt
	for _, n := range s.vault.InFolder(folder) {
		all = append(all, newPrompt(n, folder, last[s.file(n.Path)]))
	}
	words := map[string]bool{}
	for _, c := range Commands() {
		words[c.Name] = true
		for _, a := range c.Aliases {
			words[a] = true
		}
	}
	for i := range all { // by path, so that a word keeps its prompt
		p := &all[i]
		if words[p.Word] {
			p.Word = ""
		}
		words[p.Word] = p.Word != ""
	}
	slices.SortStableFunc(all, func(a, b Prompt) int {
		return cmp.Or(b.Used.Compare(a.Used), cmp.Compare(a.Order, b.Order),
			strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)))
	})
	return all
}

// Command returns the command that runs the prompt, in line mode and on the screen.
func (p *Prompt) Command() string {
	if p.Word == "" {
		return `/prompt "` + p.Name + `"`
	}
	return "/" + p.Word
}

// newPrompt reads the properties of a saved prompt. It converts values of other types than Copilot writes, if
// possible. used is the time of last use that was recorded here.
func newPrompt(n *vault.Note, folder vault.Path, used string) Prompt {
	name := strings.TrimPrefix(string(n.Path), string(folder)+"/")
	p := Prompt{Path: n.Path, Name: name[:len(name)-len(".md")], Order: math.Inf(1), Private: n.Private}
	p.Word = promptWord(p.Name)
	for _, prop := range n.Props(slashKey, orderKey, modelKey, usedKey) {
		text := strings.TrimSpace(fmt.Sprint(prop.Value))
		number, err := strconv.ParseFloat(text, 64)
		switch {
		case prop.Value == nil:
		case prop.Key == slashKey && slices.Contains([]string{"false", "no", "off", "0"}, strings.ToLower(text)):
			p.Word, p.Hidden = "", true
		case prop.Key == modelKey:
			p.Model = text
		case err != nil || math.IsNaN(number):
		case prop.Key == orderKey:
			p.Order = number
		case prop.Key == usedKey && number > 0 && number < 1<<53:
			p.Used = time.UnixMilli(int64(number))
		}
	}
	if at, err := time.Parse(time.RFC3339Nano, used); err == nil && at.After(p.Used) {
		p.Used = at
	}
	return p
}

// promptWord returns the name of a prompt as one word, "" if that cannot be a command.
func promptWord(name string) string {
	word := strings.Join(strings.FieldsFunc(strings.ToLower(name), func(r rune) bool {
		return unicode.IsSpace(r) || r == '/'
	}), "-")
	if !IsCommand("/" + word) {
		return ""
	}
	return word
}

// file returns the path of a prompt on disk, which identifies it among the prompts of all vaults.
func (s *Prompts) file(p vault.Path) string {
	return filepath.Join(s.vault.Dir(), p.Native())
}

// command returns a built-in command by its name or alias, or else a saved prompt by its word, or else what
// begins like that. If there is none, it looks at the disk once.
func (s *Prompts) command(ctx context.Context, name string) (Command, Prompt, error) {
	found, p, err := s.commandNamed(name)
	if err != nil {
		if changes, look := s.vault.Revalidate(ctx); look == nil && len(changes) > 0 {
			return s.commandNamed(name)
		}
	}
	return found, p, err
}

func (s *Prompts) commandNamed(name string) (Command, Prompt, error) {
	found, err := Find(name)
	if err == nil && (found.Name == name || slices.Contains(found.Aliases, name)) {
		return found, Prompt{}, nil
	}
	var begin []Prompt
	for _, p := range s.List() {
		if p.Word == name {
			return Command{}, p, nil
		}
		if strings.HasPrefix(p.Word, name) {
			begin = append(begin, p)
		}
	}
	if len(begin) == 1 && errors.Is(err, errNoCommand) {
		return Command{}, begin[0], nil
	}
	return found, Prompt{}, err
}

// cutPromptName returns the saved prompt that a text begins with, by its name in quotes or its word, and the rest of
// the text.
func (s *Prompts) cutPromptName(text string) (Prompt, string, error) {
	name, rest := text, ""
	if end := strings.IndexFunc(text, unicode.IsSpace); end >= 0 {
		_, size := utf8.DecodeRuneInString(text[end:])
		name, rest = text[:end], text[end+size:]
	}
	if quoted, ok := strings.CutPrefix(text, `"`); ok {
		name, rest, _ = strings.Cut(quoted, `"`)
		rest = strings.TrimPrefix(rest, " ")
	}
	for _, p := range s.List() {
		if strings.EqualFold(p.Name, name) || p.Word != "" && p.Word == strings.ToLower(name) {
			return p, rest, nil
		}
	}
	return Prompt{}, "", fmt.Errorf("there is no prompt %q in %s/; /prompt lists them", name, s.Folder())
}

// save saves a text as a prompt with the properties that Copilot needs to list it. It does not replace an existing
// one.
func (s *Prompts) save(name, text string) (vault.Path, error) {
	name = strings.TrimSuffix(strings.Trim(name, `"`), ".md")
	p, err := vault.ParsePath(string(s.Folder()) + "/" + name + ".md")
	if err != nil || !p.In(s.Folder()) || strings.Contains("/"+name+".", "/.") || undo.CheckName(p) != nil {
		return "", fmt.Errorf("%q is no name for a note", name)
	}
	front := fmt.Sprintf("---\n%s: false\n%s: true\n%s: 9007199254740991\n%s: \"\"\n%s: 0\n---\n", menuKey,
		slashKey, orderKey, modelKey, usedKey)
	err = s.vault.WriteFile(p, []byte(front+strings.TrimSpace(text)+"\n"), vault.WriteOptions{Create: true})
	if errors.Is(err, fs.ErrExist) {
		return "", fmt.Errorf("%s exists already; /prompt edit %q opens it", p, name)
	}
	return p, err
}
