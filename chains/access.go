package chains

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"
)

// access is what a person is asked for before a call, "" for nothing.
func (t *Turn) access(j *job) Access {
	if j.spec.Ask == "" && t.s.opts.Tools.Read == ReadAsk && !j.spec.NoNotes {
		return AccessRead
	}
	return j.spec.Ask
}

// scope is what an answer to that question holds for: the kind of access, or that to
// the host of the address in a call. asks is false for nothing, and for a host that
// the person wrote.
func (t *Turn) scope(j *job) (scope Access, asks bool) {
	kind := t.access(j)
	if kind == "" || j.spec.Address == "" {
		return kind, kind != ""
	}
	var args map[string]any
	_ = json.Unmarshal(j.args, &args) // they were read before
	address, _ := args[j.spec.Address].(string)
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil || u.Host == "" {
		return kind, true
	}
	host := strings.ToLower(u.Host)
	return kind + Access(" "+host), !wrote(t.p.in, host)
}

// wrote reports whether a person typed the address of a host.
func wrote(in Input, host string) bool {
	text := []byte(in.Text)
	for _, s := range in.Spans {
		if s.Ref.ID == "" && 0 <= s.From && s.From <= s.To && s.To <= len(text) { // pasted
			for i := s.From; i < s.To; i++ {
				text[i] = ' '
			}
		}
	}
	outside := func(r rune) bool { return strings.ContainsRune(" \t\r\n<>()[]{}\"'`,;|/@?#", r) }
	return slices.ContainsFunc(strings.FieldsFunc(strings.ToLower(string(text)), outside), func(word string) bool {
		return strings.TrimRight(word, ".:!") == host
	})
}
