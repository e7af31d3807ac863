package vault

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"ibid/vault/md"
)

// The rule about rules: as long as it is not known what is excluded, nothing of the vault goes to a model.
//
// The rules for excluded files cannot be read if app.json is no JSON, if its list is no list of texts, or if one of
// the rules cannot be compiled or takes too long. Then Read and ReadFile refuse every file, and [Vault.Withheld]
// tells those who list, search or offer something to a model. A person may agree that a file goes all the same, see
// [Vault.Agree]. What stays on this machine goes on, by [Vault.Local].
//
// A vault that is open keeps the rules that it read last, besides those of the new list that can be read. A file
// that is being written is read again before it counts as broken.

// ErrRules is the error of files that are not sent since the rules for excluded files cannot be read. It comes as a
// *RulesError.
var ErrRules = errors.New("the rules for excluded files cannot be read")

// RulesError says why the rules for excluded files cannot be read.
type RulesError struct {
	Rule   string // the rule, or the file if that cannot be read at all
	Reason string // completes the sentence that begins with Rule
}

func (e *RulesError) Error() string {
	return fmt.Sprintf("%v (%s %s)", ErrRules, md.Clip(e.Rule, longestPart), md.Clip(e.Reason, longestPart))
}

// longestPart limits the characters of a rule and of a reason in a message.
const longestPart = 200

func (e *RulesError) Unwrap() error { return ErrRules }

// equal reports whether both are the same error, or nil.
func (e *RulesError) equal(o *RulesError) bool {
	if e == nil || o == nil {
		return e == o
	}
	return *e == *o
}

// Withheld returns why nothing of the vault may be sent or offered to a model, as a *RulesError; nil if it may.
// Everything that sends, lists or offers something of the vault to a model asks it.
func (v *Vault) Withheld() error {
	if fault := v.filters.Load().unreadable(); fault != nil {
		return fault
	}
	return nil
}

// RulesWarning returns a line for a person about rules that cannot be read, "" if they can.
func (v *Vault) RulesWarning() string {
	f := v.filters.Load()
	if fault := f.unreadable(); fault != nil {
		return fault.Error() + ": nothing of the vault goes to a model before that is mended"
	}
	if f.passedOver != nil {
		return f.passedOver.Error() + ": those that were read before still hold"
	}
	return ""
}

// Agree records that a person, who knows the error of Withheld, wants the file p to be sent. It holds until the
// error is another one.
func (v *Vault) Agree(p Path) {
	if err := v.Withheld(); err != nil {
		v.agreed.Store(p, err.Error())
	}
}

// checkRules returns the error of Withheld, unless a person has agreed to send p.
func (v *Vault) checkRules(p Path) error {
	err := v.Withheld()
	if err == nil {
		return nil
	}
	if agreed, ok := v.agreed.Load(p); ok && agreed == err.Error() {
		return nil
	}
	return err
}

// LocalVault is a vault for readers whose results stay on this machine: lists, previews, searches by a person, the
// index. Its Read and ReadFile do without rules that cannot be read; private and excluded files they refuse as well.
type LocalVault struct{ *Vault }

// Local returns the vault for what stays on this machine.
func (v *Vault) Local() LocalVault { return LocalVault{v} }

// Times for a settings file that is being written. An empty file is one for a shorter time only, since an empty one
// is as good as none.
const (
	writingTime = 1500 * time.Millisecond
	emptyTime   = 250 * time.Millisecond
	rereadTime  = 25 * time.Millisecond
)

// appRules is the list of excluded files in the vault's settings.
type appRules struct {
	list      []string
	fault     *RulesError
	isMissing bool          // there is no file
	isEmpty   bool          // the file has no content
	isTorn    bool          // the file is no JSON, as if only a part of it was written
	age       time.Duration // since the file was last written
}

// beingWritten reports whether the file looks as if a program was just writing it.
func (r *appRules) beingWritten() bool {
	return r.isTorn && r.age < writingTime || r.isEmpty && r.age < emptyTime
}

// readAppRules reads the list of excluded files from the settings file name. No such file means no rules.
func (v *Vault) readAppRules(name Path) (r appRules) {
	unreadable := func(reason string) appRules {
		r.fault = &RulesError{Rule: string(name), Reason: reason}
		return r
	}
	if info, err := v.root.Stat(name.Native()); err == nil {
		r.age = max(time.Since(info.ModTime()), 0)
	}
	data, err := v.readRaw(name, 1<<20)
	err = absentError(v, name, err)
	if errors.Is(err, fs.ErrNotExist) {
		_, missing := v.root.Lstat(name.Native())
		if errors.Is(missing, fs.ErrNotExist) {
			r.isMissing = true
			return r
		}
		return unreadable("is a link that leads nowhere")
	}
	if err != nil {
		return unreadable(fmt.Sprintf("cannot be read: %v", reason(err)))
	}
	content := Judge(data)
	if strings.TrimSpace(content.Text) == "" && !content.Binary {
		r.isEmpty = true
		return r
	}
	var settings map[string]json.RawMessage
	err = json.Unmarshal([]byte(content.Text), &settings)
	isJSON := err == nil && settings != nil && !content.Damaged && content.isUnicode()
	if !isJSON {
		r.isTorn = true
		return unreadable("is not valid JSON")
	}
	var rules []any
	list := settings["userIgnoreFilters"]
	if list == nil {
		return r
	}
	if err := json.Unmarshal(list, &rules); err != nil {
		return unreadable(fmt.Sprintf("has no list as userIgnoreFilters, but %s", list))
	}
	for _, rule := range rules {
		text, ok := rule.(string)
		if !ok {
			return unreadable(fmt.Sprintf("has an entry in userIgnoreFilters that is no text: %v", rule))
		}
		r.list = append(r.list, text)
	}
	return r
}

// loadFilters joins the vault's own list of excluded files with the caller's. before are the rules of an open vault,
// nil for one that is being opened. Only without earlier rules it waits for a file that is being written.
func (v *Vault) loadFilters(own ruleSet, before *filters) *filters {
	f := &filters{own: own, config: Path(ConfigDir(v.FS()))}
	name := f.config.Join(settingsFile)
	read := v.readAppRules(name)
	if before == nil {
		before = &filters{}
	}
	if before.lastRead == nil {
		for waited := time.Duration(0); read.beingWritten() && waited < writingTime; waited += rereadTime {
			time.Sleep(rereadTime)
			read = v.readAppRules(name)
		}
	}
	app, fault := parseFilters(read.list, before.app.patterns)
	app.tags = nil // rules for tags exist in ibid's settings only
	if read.fault != nil {
		fault = read.fault
	}
	f.app = app
	f.fault = fault
	if fault == nil && !read.isMissing {
		f.lastRead = &app
	}
	if before.lastRead == nil {
		return f
	}
	// What was read before holds as long as nothing else can be read.
	switch {
	case read.isMissing, read.isEmpty, read.beingWritten():
		f.app, f.fault, f.passedOver = before.app, nil, before.passedOver
	case fault != nil:
		f.app, f.fault, f.passedOver = before.lastRead.join(&app), nil, fault
	default:
		return f
	}
	f.lastRead = before.lastRead
	return f
}
