package ui

import (
	"context"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"

	tea "charm.land/bubbletea/v2"

	"ibid/context/prompt"
	"ibid/vault"
)

// mostPath bounds what a terminal pastes for a file that is dropped on it, in bytes.
const mostPath = 4096

// escapedSign is how terminals write a sign of a path that a shell would take for its own.
var escapedSign = regexp.MustCompile(`\\([^\w\\])`)

// droppedPath is the absolute path that a paste consists of, as terminals spell the name
// of a file that is dropped on them: plain, in quotes, with escaped signs, or as a file
// address.
func droppedPath(pasted string) (name string, ok bool) {
	s := strings.TrimSpace(pasted)
	if len(s) > mostPath || strings.ContainsAny(s, "\n\r\t") {
		return "", false
	}
	if n := len(s) - 1; n > 1 && (s[0] == '\'' || s[0] == '"') && s[n] == s[0] {
		s = s[1:n]
	} else if address, err := url.Parse(s); err == nil && address.Scheme == "file" {
		if s = address.Path; runtime.GOOS == "windows" {
			s = strings.TrimPrefix(s, "/")
		}
	} else if runtime.GOOS != "windows" {
		s = escapedSign.ReplaceAllString(s, "$1")
	}
	return filepath.Clean(s), filepath.IsAbs(s)
}

// droppedRef is the note or the image of the vault that a path leads to, nil if it leads
// to none.
func droppedRef(k *known, name string) *insertRef {
	rest, ok := strings.CutPrefix(name, k.opt.Vault.Dir()+string(filepath.Separator))
	p, err := vault.ParsePath(filepath.ToSlash(rest))
	if !ok || err != nil {
		return nil
	}
	kind := prompt.Note
	if !p.IsNote() {
		kind = prompt.Picture
	}
	f := k.opt.Vault.Lookup(string(p))
	if f.State != vault.OK || f.Path != p || kind == prompt.Picture && !prompt.IsPicture(path.Base(string(p))) {
		return nil
	}
	return &insertRef{prompt.Ref{Kind: kind, ID: string(p)}, linkTo(k.notes.all.Twins, p, "")}
}

// outsideMsg is the path of a file outside the vault that was pasted.
type outsideMsg string

// lookOutside says so if a pasted path leads to a file outside the vault.
func lookOutside(m *Model, name string) tea.Cmd {
	dir := m.k.opt.Vault.Dir()
	return m.tasks.start(func(context.Context) tea.Msg {
		real, err := filepath.EvalSymlinks(name)
		if err != nil {
			return nil // no file, then it is only text
		}
		if within, err := filepath.EvalSymlinks(dir); err == nil {
			dir = within
		}
		rel, err := filepath.Rel(dir, real)
		if err == nil && filepath.IsLocal(rel) {
			return nil
		}
		if info, err := os.Stat(real); err != nil || !info.Mode().IsRegular() {
			return nil
		}
		return outsideMsg(name)
	})
}

func (msg outsideMsg) carryOut(m *Model) tea.Cmd {
	return m.say("outside the vault: " + string(msg) + " stays text, nothing of it is sent; copy it into " + m.k.opt.Vault.Dir() + " to attach it")
}

// pasteInto puts a paste into the prompt: the path of a note or an image of the vault as a
// mention of it.
func pasteInto(m *Model, msg tea.PasteMsg) tea.Cmd {
	m.composer.Focus()
	name, ok := droppedPath(msg.Content)
	if !ok {
		return m.toPrompt(msg)
	}
	if ref := droppedRef(&m.k, name); ref != nil {
		return ref.carryOut(m)
	}
	return tea.Batch(m.toPrompt(msg), lookOutside(m, name))
}
