package vault

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
)

// filters are the compiled rules for excluded files. They never change.
type filters struct {
	config   Path // the vault's settings folder
	own      ruleSet
	app      ruleSet
	warnings []string
}

// ruleSet is one list of rules.
type ruleSet struct {
	prefixes []string // folded
	patterns []*regexp.Regexp
	tags     []string // folded, without '#'
	text     string   // the list as written, for comparison
}

// parseFilters compiles rules. It skips those that it cannot compile, and returns an error that names the first
// of them.
func parseFilters(rules []string) (ruleSet, error) {
	set := ruleSet{text: strings.Join(rules, "\n")}
	var bad error
	for _, r := range rules {
		r = strings.TrimSpace(r)
		switch {
		case r == "":
		case len(r) > 2 && r[0] == '/' && r[len(r)-1] == '/':
			re, err := regexp.Compile(r[1 : len(r)-1])
			if err != nil {
				if bad == nil {
					bad = fmt.Errorf("excluded files: %s cannot be used here: %w", r, err)
				}
				continue
			}
			set.patterns = append(set.patterns, re)
		case r[0] == '#':
			set.tags = append(set.tags, fold(r[1:]))
		default:
			set.prefixes = append(set.prefixes, fold(strings.TrimLeft(r, "/")))
		}
	}
	return set, bad
}

func (s *ruleSet) match(p Path, folded string) bool {
	for _, pre := range s.prefixes {
		if strings.HasPrefix(folded, pre) {
			return true
		}
	}
	for _, re := range s.patterns {
		if re.MatchString(string(p)) {
			return true
		}
	}
	return false
}

// ignores reports whether a rule excludes p.
func (f *filters) ignores(p Path) bool {
	if len(f.own.prefixes)+len(f.own.patterns)+len(f.app.prefixes)+len(f.app.patterns) == 0 {
		return false
	}
	folded := fold(string(p))
	return f.own.match(p, folded) || f.app.match(p, folded)
}

// applyTagRules makes the note private if it has a tag with a rule.
func (n *Note) applyTagRules(f *filters) {
	for _, want := range f.own.tags {
		n.Private = n.Private || slices.ContainsFunc(n.Tags, func(t string) bool { return TagWithin(fold(t), want) })
	}
}

// equal reports whether f and g come from the same settings.
func (f *filters) equal(g *filters) bool {
	return f.config == g.config && f.own.text == g.own.text && f.app.text == g.app.text &&
		slices.Equal(f.warnings, g.warnings)
}

// loadFilters joins the vault's own list of excluded files with the caller's. Obsidian rewrites app.json in
// place, so an empty or incomplete file keeps the rules that were known before.
func (v *Vault) loadFilters(own ruleSet, before *filters) *filters {
	f := &filters{own: own, config: Path(ConfigDir(v.root.FS()))}
	name := f.config.Join(settingsFile)
	data, err := v.readRaw(name, 1<<20)
	if errors.Is(err, fs.ErrNotExist) {
		return f
	}
	if err != nil {
		f.warnings = append(f.warnings, fmt.Sprintf("excluded files are not known: %v", reason(err)))
		return f
	}
	var app struct {
		Ignore []string `json:"userIgnoreFilters"`
	}
	if err := json.Unmarshal(data, &app); err != nil {
		if before != nil {
			f.app, f.warnings = before.app, before.warnings
		} else if len(bytes.TrimSpace(data)) > 0 {
			f.warnings = append(f.warnings, fmt.Sprintf("excluded files are not known: %s is not valid JSON", name))
		}
		return f
	}
	if f.app, err = parseFilters(app.Ignore); err != nil {
		f.warnings = append(f.warnings, err.Error())
	}
	f.app.tags = nil // rules for tags exist in ibid's settings only
	return f
}

// Ignored reports whether the vault's settings or the options exclude p. An excluded file can still be the
// target of a link.
func (v *Vault) Ignored(p Path) bool { return v.filters.Load().ignores(p) }
