package undo

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strings"
	"unicode"

	"ibid/vault"
)

// ErrForbidden is the error for a path that must not be written.
var ErrForbidden = errors.New("this is not written")

// maxName is the maximum length in bytes of an element of a path.
const maxName = 250

// Check returns an error if the path must not be written: dot files, saved chats and files outside of the
// vault. A model may only write notes, and only those that it may read. Of a private note that it names it hears that,
// since its name is not free.
func (j *Journal) Check(p vault.Path, model bool) error {
	to, err := vault.Destination(j.vault, p)
	if err != nil {
		return err
	}
	for _, p := range []vault.Path{p, to} {
		if err := j.check(p, model); err != nil {
			return fmt.Errorf("write %s: %w", p, err)
		}
	}
	return nil
}

func (j *Journal) check(p vault.Path, model bool) error {
	switch {
	case strings.HasPrefix(string(p), ".") || strings.Contains(string(p), "/."):
		return fmt.Errorf("%w: dot files belong to other programs", ErrForbidden)
	// some file systems ignore case
	case j.opts.Chats != "" && strings.HasPrefix(strings.ToLower(string(p))+"/",
		strings.ToLower(string(j.opts.Chats))+"/"):
		return fmt.Errorf("%w: saved chats are there", ErrForbidden)
	}
	if n, ok := j.vault.Note(p); ok && n.Chat {
		return fmt.Errorf("%w: it is a saved chat", ErrForbidden)
	}
	text, err := j.vault.Local().Read(p)
	switch {
	case err == nil && text.Note.Chat:
		return fmt.Errorf("%w: it is a saved chat", ErrForbidden)
	case !model:
		return nil
	case errors.Is(err, vault.ErrNotDownloaded):
		return err
	case errors.Is(err, vault.ErrPrivate):
		return errPrivate
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return errNotForModel
	case j.vault.Ignored(p), j.vault.Withheld() != nil:
		return errNotForModel
	case !p.IsNote():
		return fmt.Errorf("%w: it is no note", ErrForbidden)
	case err == nil:
		return nil
	}
	return CheckName(p)
}

// errPrivate is the error for a private note. The model has named it, and would otherwise take it for a free name.
var errPrivate = fmt.Errorf("%w: the note is private", ErrForbidden)

// errNotForModel is the error for files that a model must not know of.
var errNotForModel = fmt.Errorf("%w: it is not a place for notes", ErrForbidden)

// CheckName checks a name that a model made up, or a new one: every system and every editor must be able to open the
// file.
func CheckName(p vault.Path) error {
	for part := range strings.SplitSeq(string(p), "/") {
		switch {
		case len(part) > maxName:
			return fmt.Errorf("%w: the name is too long", ErrForbidden)
		case strings.ContainsFunc(part, func(r rune) bool {
			return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || strings.ContainsRune(`\:*?"<>|#^[]`, r) ||
				r == unicode.ReplacementChar
		}):
			return fmt.Errorf(`%w: a name has none of \ : * ? " < > | # ^ [ ] and nothing invisible`, ErrForbidden)
		case deviceName.MatchString(part):
			return fmt.Errorf("%w: Windows has no file of that name", ErrForbidden)
		case strings.TrimSpace(strings.TrimSuffix(part, path.Ext(part))) != strings.TrimSuffix(part, path.Ext(part)) ||
			strings.HasSuffix(part, "."):
			return fmt.Errorf("%w: a name has no blanks around it, and no dot at its end", ErrForbidden)
		}
	}
	return nil
}

// deviceName matches the name of a device on Windows, with any extension.
var deviceName = regexp.MustCompile(`(?i)^(con|prn|aux|nul|com[1-9]|lpt[1-9]) *(\.|$)`)

// maxWarnedLinks limits the number of links in a warning.
const maxWarnedLinks = 3

// Warnings returns what a person should know about a change of a note before it is made: that the path may be
// mistaken for another, that the properties cannot be read or the note becomes private or public, and which new
// links lead nowhere.
func (j *Journal) Warnings(p vault.Path, before, after string) (all []string) {
	old, now := vault.ParseNote(p, before), vault.ParseNote(p, after)
	if mixed := p.MixedScripts(); mixed != "" {
		all = append(all, "the path has letters of "+mixed)
	}
	if now.Warning != "" && now.Warning != old.Warning {
		all = append(all, now.Warning)
	}
	switch {
	case now.Private && before == "":
		all = append(all, "the note is private: no model reads it")
	case now.Private && !old.Private:
		all = append(all, "the note becomes private")
	case old.Private && !now.Private:
		all = append(all, "the note is private no longer")
	}
	had := map[string]bool{}
	for link := range old.Links() {
		had[link.Target] = true
	}
	var dead []string
	added := 0
	for link := range now.Links() {
		if link.Target == "" || had[link.Target] || strings.Contains(link.Target, "://") {
			continue
		}
		had[link.Target] = true
		if added++; j.vault.Resolve(link.Target, p).State != vault.OK {
			dead = append(dead, "[["+link.Target+"]]")
		}
	}
	if n := len(dead); n > 0 {
		leads := "leads"
		if n != 1 {
			leads = "lead"
		}
		all = append(all, fmt.Sprintf("links: %d of %d %s nowhere: %s", n, added, leads,
			strings.Join(dead[:min(n, maxWarnedLinks)], ", ")))
	}
	return all
}
