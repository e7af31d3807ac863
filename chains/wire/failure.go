package wire

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"ibid/vault/md"
)

// failure is the answer of a server that did not fulfil a request, parsed from any format.
type failure struct {
	Status     int // of HTTP, 0 if there was none
	Code       string
	Type       string
	Message    string
	Detail     string // message of an upstream server that a gateway passed on
	RetryAfter time.Duration
}

// readFailure parses an error body. It knows the formats in use: an object or a string under error, a bare object,
// FastAPI's detail, an array around any of these, an HTML page, or plain text.
func readFailure(status int, header http.Header, body []byte) failure {
	f := failure{Status: status, RetryAfter: retryAfter(header, time.Now())}
	body = body[:min(len(body), maxErrorBody)]
	var v any
	if json.Unmarshal(trimStart(body), &v) != nil {
		f.Message = plainMessage(string(body))
		return f
	}
	f.read(v)
	return f
}

// read takes fields from a decoded body. The first value found for a field stays.
func (f *failure) read(v any) {
	switch v := v.(type) {
	case string:
		setIfEmpty(&f.Message, v)
	case []any:
		for _, e := range v {
			f.read(e)
		}
	case map[string]any:
		f.readObject(v)
	}
}

func (f *failure) readObject(m Fields) {
	for _, name := range []string{
		"error", "errors", "detail",
		"message", "msg", "error_description", "error_message", "title", "reason",
	} {
		f.read(m[name]) // text, or an object again
	}
	setIfEmpty(&f.Code, stringOf(m["code"]))
	setIfEmpty(&f.Type, stringOf(m["type"]))
	setIfEmpty(&f.Type, stringOf(m["status"]))
	if f.Status == 0 {
		f.Status = statusOf(m["status_code"], m["code"], m["status"])
	}
	// FastAPI names the unknown field here
	if at, ok := m["loc"].([]any); ok && len(at) > 0 && stringOf(m["type"]) == "extra_forbidden" {
		setIfEmpty(&f.Detail, stringOf(at[len(at)-1]))
	}
	raw := m.Text("metadata.raw") // message of the upstream server, which may be an error body again
	setIfEmpty(&f.Detail, cmp.Or(readFailure(0, nil, []byte(raw)).Message, raw))
	details, _ := m["details"].([]any)
	for _, d := range details {
		if d, ok := d.(map[string]any); ok && f.RetryAfter == 0 {
			f.RetryAfter, _ = time.ParseDuration(stringOf(d["retryDelay"]))
		}
	}
	for _, name := range []string{"n_ctx", "n_prompt_tokens"} { // from llama.cpp
		if n := stringOf(m[name]); n != "" {
			f.Detail += " " + name + " " + n
		}
	}
}

func setIfEmpty(s *string, v string) {
	if *s == "" {
		*s = strings.TrimSpace(v)
	}
}

// stringOf returns v if it is a string or a number, else "".
func stringOf(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return ""
}

// statusOf returns the first of values that is an HTTP error status, else 0.
func statusOf(values ...any) int {
	for _, v := range values {
		if n, err := strconv.Atoi(stringOf(v)); err == nil && n >= 400 && n < 600 {
			return n
		}
	}
	return 0
}

// Pattern returns a function that compiles an expression on its first call, because most runs of the program see no
// error.
func Pattern(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

var (
	htmlTitle = Pattern(`(?is)<title[^>]*>(.*?)</title>`)
	htmlTag   = Pattern(`(?s)<(?:style|script).*?</(?:style|script)>|<[^>]*>`)
)

// plainMessage returns the text of a body that is not JSON.
func plainMessage(body string) string {
	if m := htmlTitle().FindStringSubmatch(body); m != nil && strings.TrimSpace(m[1]) != "" {
		return m[1]
	}
	if strings.HasPrefix(strings.TrimSpace(body), "<") {
		body = htmlTag().ReplaceAllString(body, " ")
	}
	return md.OneLine(body)
}

// retryAfter returns how long the server asks to wait, 0 if it does not say.
func retryAfter(h http.Header, now time.Time) time.Duration {
	ms, _ := time.ParseDuration(h.Get("Retry-After-Ms") + "ms")
	if ms > 0 {
		return ms
	}
	for _, name := range []string{
		"Retry-After", "X-Ratelimit-Reset", "Ratelimit-Reset",
		"X-Ratelimit-Reset-Requests", "X-Ratelimit-Reset-Tokens",
	} {
		if d := resetAfter(h.Get(name), now); d > 0 {
			return d
		}
	}
	return 0
}

// resetAfter parses a time to come back: seconds from now, seconds or milliseconds since 1970, a date, or a
// duration such as 6m0s.
func resetAfter(v string, now time.Time) time.Duration {
	wait, _ := time.ParseDuration(v)
	if at, err := http.ParseTime(v); err == nil {
		wait = at.Sub(now)
	}
	switch n, err := strconv.ParseFloat(v, 64); {
	case err != nil:
	case n > 1e11:
		wait = time.UnixMilli(int64(n)).Sub(now)
	case n > 1e9:
		wait = time.Unix(int64(n), 0).Sub(now)
	default:
		wait = time.Duration(n * float64(time.Second))
	}
	return max(0, wait)
}

// words returns the status and all texts of f in lower case, for wordings.
func (f *failure) words() string {
	return strings.ToLower(fmt.Sprintf("%d %s\n%s\n%s\n%s", f.Status, f.Message, f.Detail, f.Code, f.Type))
}
