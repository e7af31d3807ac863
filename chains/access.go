package chains

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"ibid/vault/md"
)

// permission names what a person has to allow before a call, "" for nothing.
func (t *Turn) permission(j *job) Access {
	if j.spec.Ask == "" && t.s.opts.Tools.Read == ReadAsk && !j.spec.NoNotes {
		return AccessRead
	}
	return j.spec.Ask
}

// permissionScope tells how far an answer reaches: to the kind of access, to the host of
// the address in a call, or to the address alone where it has a query, in which anything
// can be sent. asks is false for nothing, and for an address that the
// person typed.
func (t *Turn) permissionScope(j *job) (scope Access, host string, asks bool) {
	kind := t.permission(j)
	if kind == "" || j.spec.Address == "" {
		return kind, "", kind != ""
	}
	var args map[string]any
	_ = json.Unmarshal(j.args, &args) // they were read before
	text, _ := args[j.spec.Address].(string)
	address, host := normalizeAddress(text)
	scope = kind + Access(" "+host)
	if strings.Contains(address, "?") {
		scope = kind + Access(" "+address)
	}
	inputs := []Input{t.p.in}
	for n := range t.s.chat.Turns() {
		inputs = append(inputs, t.s.turns.begun[n+1].in)
	}
	typed := func(in Input) bool { return in.typed(address) }
	return scope, host, address == "" || !slices.ContainsFunc(inputs, typed)
}

// typed reports whether the person typed an address, as one and outside of code. What was
// sent before a chat was opened may have been pasted.
func (in *Input) typed(address string) bool {
	if !in.Typed {
		return false
	}
	text := []byte(in.Text)
	for _, s := range in.Spans {
		for i := max(s.From, 0); i < min(s.To, len(text)); i++ {
			text[i] = 0 // which no address holds
		}
	}
	return slices.ContainsFunc(md.URLs(string(text)), func(url string) bool {
		other, _ := normalizeAddress(url)
		return other == address
	})
}

// normalizeAddress gives two spellings of an address one form, and finds its host; both
// are "" for what is no address.
func normalizeAddress(address string) (form, host string) {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil || u.Host == "" {
		return "", ""
	}
	u.Host, u.Fragment = strings.ToLower(u.Host), ""
	if u.Path == "/" {
		u.Path = ""
	}
	return u.String(), u.Host
}
