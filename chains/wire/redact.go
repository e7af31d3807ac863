package wire

import (
	"bytes"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"unicode"

	"ibid/vault/md"
)

const (
	keyRemoved  = "[key removed]"
	minKey      = 4  // bytes; anything shorter is no secret
	minFragment = 12 // consecutive bytes of a key that reveal it
)

// secretShapes match keys that the client does not know, and keys that a provider echoes with asterisks in them.
var secretShapes = Pattern(
	`(?i)(bearer\s+|(?:authorization|x-goog-api-key|x-api-key|api-key)["']?\s*[:=]\s*["']?(?:bearer\s+)?)[^\s"',;}]{4,}` +
		`|\b(?:sk|gsk|xai|hf|pplx|r8|nvapi|csk|fw)[-_][A-Za-z0-9_\-*]{12,}` +
		`|\bAIza[A-Za-z0-9_\-]{20,}` +
		`|[A-Za-z0-9_\-]*\*{3,}[A-Za-z0-9]{2,}`)

// redactor removes keys from text that is shown or written to a file.
type redactor struct {
	mu   sync.RWMutex
	keys []string // the longest first, so that no rest of a longer key remains; guarded by mu
}

// newRedactor returns a redactor for key and for all values of headers and query parameters that look like
// credentials.
func newRedactor(key string, headers http.Header, query url.Values) *redactor {
	r := &redactor{}
	r.add(key)
	for _, all := range []map[string][]string{headers, query} {
		for name, values := range all {
			if !secretHeader(name) {
				continue
			}
			for _, v := range values {
				r.add(v)
				if _, after, ok := strings.Cut(v, " "); ok {
					r.add(after)
				}
			}
		}
	}
	return r
}

// add adds a key.
func (r *redactor) add(key string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if key = strings.TrimSpace(key); len(key) >= minKey && !slices.Contains(r.keys, key) {
		r.keys = append(r.keys, key)
		slices.SortFunc(r.keys, func(a, b string) int { return len(b) - len(a) })
	}
}

// hasNoKeys reports whether no key is known.
func (r *redactor) hasNoKeys() bool {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return len(r.keys) == 0
}

// secretHeader reports whether values of this header are credentials.
func secretHeader(name string) bool {
	name = strings.ToLower(name)
	for _, part := range []string{"auth", "key", "token", "secret", "cookie", "password"} {
		if strings.Contains(name, part) {
			return true
		}
	}
	return false
}

// removeKnown removes the known keys and long pieces of them.
func (r *redactor) removeKnown(b []byte) []byte {
	r.mu.RLock()
	defer r.mu.RUnlock()
	for _, k := range r.keys {
		b = bytes.ReplaceAll(b, []byte(k), []byte(keyRemoved))
		if len(k) > minFragment {
			b = cutFragments(b, k)
		}
	}
	return b
}

// cutFragments removes every piece of key that has at least fragment bytes.
func cutFragments(b []byte, key string) []byte {
	var out []byte
	last := 0
	for i := 0; i+minFragment <= len(b); i++ {
		n := minFragment
		for i+n <= len(b) && strings.Contains(key, string(b[i:i+n])) {
			n++
		}
		if n--; n >= minFragment {
			out = append(append(out, b[last:i]...), keyRemoved...)
			last, i = i+n, i+n-1
		}
	}
	return append(out, b[last:]...)
}

// removeSecrets removes known keys and everything that looks like one.
func (r *redactor) removeSecrets(s string) string {
	s = string(r.removeKnown([]byte(s)))
	return secretShapes().ReplaceAllStringFunc(s, func(m string) string {
		if p := secretShapes().FindStringSubmatch(m); p != nil && p[1] != "" {
			return p[1] + keyRemoved
		}
		return keyRemoved
	})
}

// line returns text for the person: without keys and control characters, on one line, cut at 300 characters.
func (r *redactor) line(s string) string {
	const most = 300
	s = strings.Map(func(c rune) rune {
		switch {
		case unicode.IsSpace(c):
			return ' '
		case unicode.IsControl(c), unicode.Is(unicode.Cf, c), c == unicode.ReplacementChar:
			return -1
		}
		return c
	}, r.removeSecrets(s))
	return md.Clip(md.OneLine(s), most)
}
