package chains

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"ibid/vault/md"
)

// permission returns the kind of access that a person has to allow before a call runs, "" if the call needs none.
func (t *Turn) permission(j *job) Access {
	if j.spec.Ask == "" && t.s.opts.Tools.Read == ReadAsk && !j.spec.NoNotes {
		return AccessRead
	}
	return j.spec.Ask
}

// permissionScope returns how far the person's answer about a call reaches: to the kind of access, to the host of
// the address in the call, or to that address alone if it has a query, because a query can carry any text out. asks
// is false if the call needs no permission, and for an address that the person typed.
func (t *Turn) permissionScope(j *job) (scope Access, host string, asks bool) {
	kind := t.permission(j)
	if kind == "" || j.spec.Address == "" {
		return kind, "", kind != ""
	}
	var args map[string]any
	_ = json.Unmarshal(j.args, &args) // valid: toolcall.Arguments read them
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

// typed reports whether the person typed the address as a link of its own, outside of code. It is false for a
// message from before the chat was opened, whose text may have been pasted.
func (in *Input) typed(address string) bool {
	if !in.Typed {
		return false
	}
	text := []byte(in.Text)
	for _, s := range in.Spans {
		for i := max(s.From, 0); i < min(s.To, len(text)); i++ {
			text[i] = 0 // no address contains a zero byte
		}
	}
	return slices.ContainsFunc(md.URLs(string(text)), func(url string) bool {
		other, _ := normalizeAddress(url)
		return other == address
	})
}

// normalizeAddress returns an address in a form in which two spellings compare equal, and its host. Both are "" if
// the text is no absolute address.
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
