package chains

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"
)

// scope is what a person is asked for before a call: its kind of access, or that to
// the host of the address that it has. asks is false for nothing, and for a host that
// the person wrote.
func (t *Turn) scope(j *job) (scope Access, asks bool) {
	if j.spec.Ask == "" || j.spec.Address == "" {
		return j.spec.Ask, j.spec.Ask != ""
	}
	var args map[string]any
	_ = json.Unmarshal(j.args, &args) // they were read before
	address, _ := args[j.spec.Address].(string)
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil || u.Host == "" {
		return j.spec.Ask, true
	}
	host := strings.ToLower(u.Host)
	return j.spec.Ask + Access(" "+host), !wrote(t.p.in, host)
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
