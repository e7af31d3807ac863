package wire

import (
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"ibid/chains"
)

// Failure is what a server said about a request that it did not fulfil, in
// whatever shape it said it.
type Failure struct {
	Status     int // of HTTP, 0 if there was none
	Code       string
	Type       string
	Message    string
	Detail     string // what an upstream server said, passed on by a gateway
	RetryAfter time.Duration
}

// ReadFailure understands the error bodies in use: an object or a string
// under error, a bare object, FastAPI's detail, an array around any of these,
// a page of HTML, or words.
func ReadFailure(status int, header http.Header, body []byte) Failure {
	f := Failure{Status: status, RetryAfter: retryAfter(header, time.Now())}
	body = body[:min(len(body), maxErrorBody)]
	var v any
	if json.Unmarshal(trimStart(body), &v) != nil {
		f.Message = plainMessage(string(body))
		return f
	}
	f.read(v, 0)
	return f
}

// read takes fields from a decoded body; what was found first stays.
func (f *Failure) read(v any, depth int) {
	if depth > 6 {
		return
	}
	switch v := v.(type) {
	case string:
		setIfEmpty(&f.Message, v)
	case []any:
		for _, e := range v {
			f.read(e, depth+1)
		}
	case map[string]any:
		f.readObject(v, depth)
	}
}

func (f *Failure) readObject(m map[string]any, depth int) {
	for _, name := range []string{"error", "errors", "detail"} {
		if inner, ok := m[name]; ok && inner != nil {
			f.read(inner, depth+1)
		}
	}
	for _, name := range []string{"message", "msg", "error_description", "error_message", "title", "reason"} {
		f.read(m[name], depth+1) // words, or an object again
	}
	setIfEmpty(&f.Code, stringOf(m["code"]))
	setIfEmpty(&f.Type, stringOf(m["type"]))
	setIfEmpty(&f.Type, stringOf(m["status"]))
	if f.Status == 0 {
		f.Status = statusOf(m["status_code"], m["code"], m["status"])
	}
	if at, ok := m["loc"].([]any); ok && len(at) > 0 && stringOf(m["type"]) == "extra_forbidden" { // FastAPI names a field that it does not know
		setIfEmpty(&f.Detail, stringOf(at[len(at)-1]))
	}
	if meta, ok := m["metadata"].(map[string]any); ok {
		setIfEmpty(&f.Detail, rawMessage(meta["raw"]))
	}
	if details, ok := m["details"].([]any); ok {
		for _, d := range details {
			if d, ok := d.(map[string]any); ok && f.RetryAfter == 0 {
				f.RetryAfter, _ = time.ParseDuration(stringOf(d["retryDelay"]))
			}
		}
	}
	for _, name := range []string{"n_ctx", "n_prompt_tokens"} { // llama.cpp
		if n := stringOf(m[name]); n != "" {
			f.Detail += " " + name + " " + n
		}
	}
}

// rawMessage is what the upstream server of a gateway said, which may be an
// error body again.
func rawMessage(v any) string {
	s := stringOf(v)
	var inner any
	if s != "" && json.Unmarshal([]byte(s), &inner) == nil {
		var f Failure
		f.read(inner, 0)
		if f.Message != "" {
			return f.Message
		}
	}
	return s
}

func setIfEmpty(s *string, v string) {
	if *s == "" {
		*s = strings.TrimSpace(v)
	}
}

// stringOf is v if it is a string or a number, else "".
func stringOf(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return ""
}

// statusOf is the first of values that is an HTTP error status, else 0.
func statusOf(values ...any) int {
	for _, v := range values {
		if n, err := strconv.Atoi(stringOf(v)); err == nil && n >= 400 && n < 600 {
			return n
		}
	}
	return 0
}

// pattern compiles an expression when it is first needed: most runs of the
// program see no failure.
func pattern(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

var (
	htmlTitle = pattern(`(?is)<title[^>]*>(.*?)</title>`)
	htmlTag   = pattern(`(?s)<(?:style|script).*?</(?:style|script)>|<[^>]*>`)
)

// plainMessage makes words of a body that is no JSON.
func plainMessage(body string) string {
	if m := htmlTitle().FindStringSubmatch(body); m != nil && strings.TrimSpace(m[1]) != "" {
		return m[1]
	}
	if strings.HasPrefix(strings.TrimSpace(body), "<") {
		body = htmlTag().ReplaceAllString(body, " ")
	}
	body = strings.Join(strings.Fields(body), " ")
	if runes := []rune(body); len(runes) > 200 {
		body = string(runes[:200])
	}
	return body
}

// retryAfter reads how long the server asks to wait, 0 if it does not say.
func retryAfter(h http.Header, now time.Time) time.Duration {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil && ms > 0 {
		return time.Duration(ms * float64(time.Millisecond))
	}
	if v := h.Get("Retry-After"); v != "" {
		if s, err := strconv.ParseFloat(v, 64); err == nil && s > 0 {
			return time.Duration(s * float64(time.Second))
		}
		if at, err := http.ParseTime(v); err == nil {
			return max(0, at.Sub(now))
		}
	}
	for _, name := range []string{
		"X-Ratelimit-Reset", "Ratelimit-Reset",
		"X-Ratelimit-Reset-Requests", "X-Ratelimit-Reset-Tokens",
	} {
		if d := resetAfter(h.Get(name), now); d > 0 {
			return d
		}
	}
	return 0
}

// resetAfter reads a reset header: seconds from now, seconds or milliseconds
// since 1970, or a duration such as 6m0s.
func resetAfter(v string, now time.Time) time.Duration {
	n, err := strconv.ParseFloat(v, 64)
	switch {
	case err != nil:
		d, _ := time.ParseDuration(v)
		return max(0, d)
	case n > 1e11:
		return max(0, time.UnixMilli(int64(n)).Sub(now))
	case n > 1e9:
		return max(0, time.Unix(int64(n), 0).Sub(now))
	}
	return max(0, time.Duration(n*float64(time.Second)))
}

// sorter is one line of the classification: the first that matches decides.
type sorter struct {
	kind     chains.ErrorKind
	statuses []int
	words    func() *regexp.Regexp // in message, detail, code and type, lower case
}

// Providers hide the same cause behind different statuses: a prompt that is
// too long arrives as 400, 413, 429 and 500. So words come before statuses.
var sorters = []sorter{
	{kind: chains.ErrContext, statuses: []int{413}},
	{kind: chains.ErrQuota, statuses: []int{402}, words: pattern(
		`insufficient[_ ](quota|credit|balance|funds)|exceeded your current quota|credit balance|payment required|` +
			`out of credits?|billing_hard_limit|billing hard limit|requires more credits|arrearage`)},
	{kind: chains.ErrAuth, statuses: []int{401}, words: pattern(
		`(invalid|incorrect|wrong|missing|expired|not valid)[a-z ]*api[ _-]?key|api[ _-]?key (is |was )?(not valid|invalid|missing|expired|required)|` +
			`invalid_api_key|authentication[_ ](error|fails|failed)|unauthorized|unauthenticated|not authenticated|no auth credentials`)},
	{kind: chains.ErrRate, statuses: []int{429}, words: pattern(
		`rate[ _-]?limit|too many requests|resource_exhausted|ratelimitreached|throttl`)},
	{kind: chains.ErrTimeout, statuses: []int{408, 504, 524}, words: pattern(`timed out|timeout`)},
	{kind: chains.ErrServer, statuses: []int{409, 425}, words: pattern(`overloaded|temporarily unavailable|server_error|internal error`)},
	{kind: chains.ErrAuth, statuses: []int{403}},
}

// NoSuchModel in ProviderError.Code says that the model does not exist.
const NoSuchModel = "model_not_found"

var missingModel = pattern(
	`model_not_found|model.{0,160}(not found|does not exist|is not available|not supported)|model: .{1,160}\s+not_found_error|` +
		`(unknown|invalid|no such) model|not a valid model|no endpoints found|try pulling it`)

// What servers call tools, and how they say that they take none.
var toolsRefused = pattern(
	`(?s)\b(tools?|functions|tool[ _-]?(use|calls?|calling|choice)|function[ _-]?(call|calls|calling))\b.{0,60}\b(not (supported|enabled|available|allowed|permitted)|unsupported|isn't supported|requires? --)|` +
		`\b((do|does|did) ?n[o']t (currently )?support|not configured to support|unsupported|unrecognized|unknown|unexpected|not permitted|not supported|no endpoints found that support)\b.{0,90}\b(tools?|functions|tool[ _-]?(use|calls?|calling|choice)|function[ _-]?(call|calls|calling))\b`)

// refusesTools reports whether f says that the model, or the server as it was
// started, takes no list of tools. One server says so with status 500.
func refusesTools(f Failure) bool {
	switch f.Status {
	case 400, 404, 422, 500, 501:
		return !namesField(f) && toolsRefused().MatchString(strings.ToLower(f.Message+"\n"+f.Detail))
	}
	return false
}

// words is all that f says, for patterns.
func (f *Failure) words() string {
	return strings.ToLower(f.Message + "\n" + f.Detail + "\n" + f.Code + "\n" + f.Type)
}

// sortFailure decides the kind of f.
func sortFailure(f Failure) chains.ErrorKind {
	said := f.words()
	minute := perMinute().MatchString(said)
	for _, s := range sorters {
		if s.kind == chains.ErrContext {
			if _, _, long := readTooLong(said); minute || !long && !slices.Contains(s.statuses, f.Status) || !wordsApply(s.kind, f.Status) {
				continue
			}
			return s.kind
		}
		if slices.Contains(s.statuses, f.Status) {
			// A status is sure about everything except a hidden cause, which an
			// earlier line would have found.
			return refine(s.kind, f, said)
		}
		if s.words != nil && wordsApply(s.kind, f.Status) && s.words().MatchString(said) {
			return refine(s.kind, f, said)
		}
	}
	if f.Status >= 500 {
		return chains.ErrServer
	}
	return chains.ErrConfig
}

// wordsApply keeps words from overruling a status that contradicts them.
func wordsApply(kind chains.ErrorKind, status int) bool {
	switch kind {
	case chains.ErrContext:
		return status != 401 && status != 402 && status != 404
	case chains.ErrAuth:
		return status < 500 && status != 429 && status != 404
	case chains.ErrTimeout, chains.ErrServer:
		return status == 0 || status >= 500
	case chains.ErrRate:
		return status == 0 || status == 400 || status == 413 || status >= 500
	}
	return true
}

// refine tells a used-up account from a busy minute: a provider that says when
// to come back means the minute.
func refine(kind chains.ErrorKind, f Failure, said string) chains.ErrorKind {
	if kind == chains.ErrQuota && f.Status == 429 && f.RetryAfter > 0 && !strings.Contains(said, "insufficient") {
		return chains.ErrRate
	}
	return kind
}
