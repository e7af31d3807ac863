package vault

import (
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/dlclark/regexp2/v2"
	"golang.org/x/text/unicode/norm"
)

// filters are the compiled rules for excluded files. They never change, except that a rule may turn out to be
// unreadable when it is used.
type filters struct {
	config     Path // the vault's settings folder
	own        ruleSet
	app        ruleSet
	fault      *RulesError // why the vault's list cannot be read, nil if it can
	lastRead   *ruleSet    // the last list of the vault that could be read as a whole, nil if there was none
	passedOver *RulesError // why the present list does not replace that, nil if it does
}

// ruleSet is one list of rules.
type ruleSet struct {
	prefixes []string // folded
	patterns []*pattern
	tags     []string // folded, without '#'
	text     string   // the list as written, for comparison
}

// pattern is a rule that is a regular expression of JavaScript, as Obsidian reads it.
type pattern struct {
	rule     string
	compiled *regexp2.Regexp
	timedOut atomic.Bool // it took too long for some path, so that it is not known what it excludes
}

// Limits of a regular expression, which a person or a program from elsewhere may have written.
const (
	matchTime   = 500 * time.Millisecond // for one path
	longestRule = 10_000                 // bytes
)

// compileRule compiles a regular expression between slashes. One of the patterns known is used again, since it may
// be known that it takes too long.
func compileRule(rule string, known []*pattern) (*pattern, error) {
	if i := slices.IndexFunc(known, func(p *pattern) bool { return p.rule == rule }); i >= 0 {
		return known[i], nil
	}
	if len(rule) > longestRule {
		return nil, fmt.Errorf("it is longer than %d characters", longestRule)
	}
	compiled, err := regexp2.Compile(rule[1:len(rule)-1], regexp2.ECMAScript)
	if err != nil {
		return nil, err
	}
	compiled.MatchTimeout = matchTime
	return &pattern{rule: rule, compiled: compiled}, nil
}

// match reports whether the pattern fits a path.
func (p *pattern) match(path string) bool {
	if p.timedOut.Load() {
		return false
	}
	fits, err := p.compiled.MatchString(path)
	if err != nil {
		p.timedOut.Store(true)
		return false
	}
	return fits
}

// parseFilters compiles rules. It skips those that it cannot compile, and returns an error that names the first
// of them.
func parseFilters(rules []string, known []*pattern) (ruleSet, *RulesError) {
	set := ruleSet{text: strings.Join(rules, "\n")}
	var fault *RulesError
	for _, r := range rules {
		r = strings.TrimSpace(r)
		switch {
		case r == "":
		case len(r) > 2 && r[0] == '/' && r[len(r)-1] == '/':
			p, err := compileRule(r, known)
			if err == nil {
				set.patterns = append(set.patterns, p)
			} else if fault == nil {
				reason := strings.TrimPrefix(err.Error(), "error parsing regexp: ")
				fault = &RulesError{Rule: r, Reason: "is no regular expression: " + reason}
			}
		case r[0] == '#':
			set.tags = append(set.tags, fold(r[1:]))
		default:
			set.prefixes = append(set.prefixes, fold(strings.TrimLeft(r, "/")))
		}
	}
	return set, fault
}

// isEmpty reports whether no rule of the set is about paths.
func (s *ruleSet) isEmpty() bool { return len(s.prefixes)+len(s.patterns) == 0 }

func (s *ruleSet) match(path, folded string) bool {
	return s.hasPrefixOf(folded) || slices.ContainsFunc(s.patterns, func(p *pattern) bool { return p.match(path) })
}

func (s *ruleSet) hasPrefixOf(folded string) bool {
	return slices.ContainsFunc(s.prefixes, func(prefix string) bool { return strings.HasPrefix(folded, prefix) })
}

// join returns the rules of both sets.
func (s *ruleSet) join(more *ruleSet) ruleSet {
	if more.isEmpty() {
		return *s
	}
	return ruleSet{
		prefixes: slices.Concat(s.prefixes, more.prefixes),
		patterns: slices.Concat(s.patterns, more.patterns),
		text:     s.text + "\n" + more.text,
	}
}

// unreadable returns why the rules cannot be read, nil if they can.
func (f *filters) unreadable() *RulesError {
	if f.fault != nil {
		return f.fault
	}
	for _, set := range []*ruleSet{&f.own, &f.app} {
		for _, p := range set.patterns {
			if p.timedOut.Load() {
				return &RulesError{Rule: p.rule, Reason: "takes too long"}
			}
		}
	}
	return nil
}

// ignores reports whether a rule excludes p.
func (f *filters) ignores(p Path) bool {
	if f.own.isEmpty() && f.app.isEmpty() {
		return false
	}
	folded := fold(string(p))
	path := norm.NFC.String(string(p)) // as Obsidian sees it
	return f.own.match(path, folded) || f.app.match(path, folded)
}

// applyTagRules makes the note private if it has a tag with a rule.
func (n *Note) applyTagRules(f *filters) {
	for _, want := range f.own.tags {
		n.Private = n.Private || slices.ContainsFunc(n.Tags, func(t string) bool { return TagWithin(fold(t), want) })
	}
}

// equal reports whether f and g come from the same settings.
func (f *filters) equal(g *filters) bool {
	sameRules := f.config == g.config && f.own.text == g.own.text && f.app.text == g.app.text
	return sameRules && f.fault.equal(g.fault) && f.passedOver.equal(g.passedOver)
}

// IgnoredBelow reports whether a rule certainly excludes the folder p with all that is or will be below it. A regular
// expression may fit a folder and not the notes in it.
func (v *Vault) IgnoredBelow(p Path) bool {
	f := v.filters.Load()
	folded := fold(string(p))
	return f.own.hasPrefixOf(folded) || f.app.hasPrefixOf(folded)
}

// Ignored reports whether the vault's settings or the options exclude p. An excluded file can still be the
// target of a link.
func (v *Vault) Ignored(p Path) bool { return v.filters.Load().ignores(p) }
