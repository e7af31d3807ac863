package prompt

import (
	"cmp"
	"slices"
)

// CacheKind determines where a match with an earlier request may end.
type CacheKind string

// The kinds of cache.
const (
	CacheSteps CacheKind = "steps" // anywhere, rounded down to a multiple of Step; the default
	// at the end of an earlier request, of its system message, or at a mark in it
	CacheBoundaries CacheKind = "boundaries"
	// at an earlier mark, at most a few content blocks before a mark of the new request
	CacheBlocks   CacheKind = "blocks"
	CacheRequests CacheKind = "requests" // at the end of an earlier request, or where two of them diverged
	// anywhere in the last request and its reply, the only ones that are remembered
	CacheSlot CacheKind = "slot"
	CacheNone CacheKind = "none"
)

// Cache describes how the provider's prefix cache matches, and its prices.
type Cache struct {
	Kind  CacheKind
	Min   int     // tokens below which nothing is cached
	Step  int     // matches are rounded down to a multiple, 0 for exact ones
	Read  float64 // price of a cached token, relative to an uncached one; 0 means a tenth
	Write float64 // price of a token that is written to the cache; 0 means 1
	Marks string  // field of a request for marks, "" if none are sent
	Cold  bool    // idle for longer than the cache lives
}

const (
	lookBack  = 20 // content blocks before a mark in which a cache of blocks finds an earlier mark
	maxPlaces = 24 // places that a conversation remembers
)

// place is a position in a request: after so many whole messages and so many bytes of the next one.
type place struct {
	messages, bytes int
	tokens          int // up to here, with the list of tools
	block           int // content blocks up to here
}

func (p place) compare(q place) int {
	return cmp.Or(cmp.Compare(p.messages, q.messages), cmp.Compare(p.bytes, q.bytes))
}

// cacheUse is the cache of a request, and the places where a match with it may end.
type cacheUse struct {
	Cache
	places []place // in the order of the request
}

// sentBefore is an earlier request of a conversation, with its reply, that a provider's cache may hold.
type sentBefore struct {
	request *request
	reply   string  // reply to request
	places  []place // where a match with request may end, in its order
	set     Settings
}

// predict compares the request with the previous one, message by message. Equal messages mostly share memory, so
// this is cheap. The results of tools in the previous turn are not sent again, so only what precedes them must be
// unchanged.
func (in *incomingTurn) predict(env *Envelope, cause Cause) {
	before, now := in.c.before, env.request
	same, bytes, broken := before.shared(now)
	last := before.request.repeatedMessages()
	switch {
	case cause != "":
	case broken && same.messages < last:
		env.Break = &Break{Layer: layerOf(same.messages, now), Offset: same.bytes}
	case !broken && now.len() < last:
		env.Break = &Break{Layer: "L4"}
	}
	env.cache.Cache, env.budget = in.t.Cache, in.t.Budget
	sameCache := before.set.Model == in.t.Settings.Model && before.set.Tools == in.t.Settings.Tools
	if env.cache.Cold || !sameCache {
		same, before = place{}, sentBefore{}
	}
	if w := now.at(same.messages); env.cache.Kind == CacheSlot && before.answered(w, same) {
		same.tokens += w.tokens
	}
	env.expect(before.places, same, bytes)
}

// shared returns the common prefix of r and the previous request, and its length in bytes of text. broken reports
// that the two differ there, and neither just ends.
func (b *sentBefore) shared(r *request) (same place, bytes int, broken bool) {
	if b.request == nil {
		return place{}, 0, false
	}
	same.tokens = r.list // the list of tools precedes everything else
	for w := range r.all() {
		old := b.request.at(same.messages)
		if old == nil {
			break
		}
		n := commonPrefix(&old.Message, &w.Message)
		bytes += n
		if !old.Message.same(&w.Message) {
			same.bytes = n
			same.tokens += w.part(n)
			return same, bytes, true
		}
		same.messages++
		same.tokens += w.tokens
	}
	return same, bytes, false
}

// answered reports whether w, the first message after the common prefix, is the reply to the previous request.
func (b *sentBefore) answered(w *wire, same place) bool {
	return w != nil && b.request != nil && same.messages == b.request.len() &&
		w.Role == Assistant && w.Content == b.reply
}

// expect predicts how much of the request is cached, and records where a match with the next one may end. before
// are these places in earlier requests, and same is the end of the common prefix with them.
func (e *Envelope) expect(before []place, same place, bytes int) {
	ends, end := e.cache.ends(e.request)
	hit := same
	if e.cache.Kind.endsAtPlaces() {
		hit = place{}
		alive := 0
		for alive < len(before) && before[alive].compare(same) <= 0 {
			if e.cache.Kind != CacheBlocks || slices.ContainsFunc(ends, before[alive].near) {
				hit = before[alive]
			}
			alive++
		}
		if e.cache.Kind == CacheRequests {
			ends = append(ends, same)
		}
		e.cache.places = mergePlaces(ends, before[:alive])
	}
	e.Predicted = Prediction{
		Prompt: e.budget.scale(end.tokens), Cached: e.cache.round(e.budget.scale(hit.tokens)),
		Counted: end.tokens, Bytes: bytes,
	}
}

// mergePlaces returns the places of both lists in their order, but not more than a conversation remembers.
func mergePlaces(a, b []place) []place {
	all := slices.Concat(a, b)
	slices.SortFunc(all, place.compare)
	all = slices.CompactFunc(all, func(a, b place) bool { return a.compare(b) == 0 })
	if n := len(all); n > maxPlaces { // the first ones are in the system message
		all = slices.Delete(all, maxPlaces/4, maxPlaces/4+n-maxPlaces)
	}
	return all
}

// endsAtPlaces reports whether matches end at certain places only.
func (k CacheKind) endsAtPlaces() bool {
	return k == CacheBoundaries || k == CacheBlocks || k == CacheRequests
}

// near reports whether a cache of blocks that looks back from mark finds p.
func (p place) near(mark place) bool {
	return p.compare(mark) <= 0 && mark.block-p.block <= lookBack
}

// round returns the cached tokens of a match of so many tokens.
func (c Cache) round(tokens int) int {
	if c.Kind == CacheNone || tokens < c.Min {
		return 0
	}
	if c.Step > 1 {
		tokens -= tokens % c.Step
	}
	return tokens
}

// isCheap reports whether a rebuilt prompt is cheap enough, compared with going on unchanged.
func (c Cache) isCheap(rebuilt, keep Prediction) bool {
	read, write := cmp.Or(c.Read, 0.1), cmp.Or(c.Write, 1)
	price := func(p Prediction) float64 { return read*float64(p.Cached) + write*float64(p.Prompt-p.Cached) }
	saves := read * max(0, float64(keep.Prompt-rebuilt.Prompt))
	return price(rebuilt) <= price(keep)+promotePays*saves+promoteCost
}

// ends returns the places where a match with r may end, in the order of the request, and the end of r.
func (c Cache) ends(r *request) (ends []place, end place) {
	end.tokens = r.list
	marks := r.marked()
	for w := range r.all() {
		parts := w.Parts
		if c.Marks != "" && c.Kind.endsAtPlaces() {
			for i, p := range marks.partsOf(end.messages, &w.Message) {
				if p.Mark {
					ends = append(ends, place{end.messages, p.End, end.tokens + w.part(p.End), end.block + i + 1})
				}
			}
		}
		end.messages++
		end.tokens += w.tokens
		end.block += max(1, len(parts)) + len(w.Images)
		if c.Kind == CacheBoundaries && w.Role == System {
			ends = append(ends, end)
		}
	}
	if c.Kind == CacheBoundaries || c.Kind == CacheRequests {
		ends = append(ends, end)
	}
	return ends, end
}

// part estimates the tokens of the first n bytes of a message.
func (w *wire) part(n int) int {
	if len(w.Content) == 0 {
		return 0
	}
	return w.tokens * n / len(w.Content)
}

// cacheMarks are the messages that end with a cache mark, besides the system message: the last two that the next
// request repeats, or one of them and the last result of a loop, which the next round repeats.
type cacheMarks [2]int

func (r *request) marked() cacheMarks {
	m := cacheMarks{r.repeatedMessages() - 1, r.repeatedMessages() - 2}
	if len(r.loop) > 0 {
		m[1] = r.len() - 1
	}
	return m
}

// partsOf returns the parts of the i-th message of the request.
func (m cacheMarks) partsOf(i int, msg *Message) []Part {
	if msg.Role != System && slices.Contains(m[:], i) && msg.Content != "" {
		return []Part{{End: len(msg.Content), Mark: true}}
	}
	return msg.Parts
}

// commonPrefix returns the length of the common prefix of two messages, 0 if their roles differ.
func commonPrefix(a, b *Message) int {
	if a.Role != b.Role {
		return 0
	}
	return CommonPrefix(a.Content, b.Content)
}

// CommonPrefix returns the length of the common prefix of two texts, in bytes.
func CommonPrefix(a, b string) int {
	if a == b {
		return len(a)
	}
	n := min(len(a), len(b))
	// Chunks first, because comparing strings is much faster than comparing bytes.
	const chunk = 4096
	i := 0
	for i+chunk <= n && a[i:i+chunk] == b[i:i+chunk] {
		i += chunk
	}
	for i < n && a[i] == b[i] {
		i++
	}
	return i
}

// layerOf names the layer of the i-th message of a request.
func layerOf(i int, r *request) string {
	if i == 0 && r.system[0].Content != "" {
		return "system"
	}
	return "L4"
}
