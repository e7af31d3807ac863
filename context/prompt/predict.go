package prompt

import "slices"

// predict compares the request with the one before, message by message. Equal
// messages mostly share their memory, so that costs next to nothing.
func (in *incoming) predict(env *Envelope, cause Cause) {
	total, same, bytes := 0, 0, 0
	i, broken, last := 0, false, in.c.last
	for w := range env.request.all() {
		total += w.tokens
		if before, ok := last.at(i); ok && !broken {
			n := commonPrefix(before.Message, w.Message)
			bytes += n
			if n == len(w.Content) && sameMessage(before.Message, w.Message) {
				same += w.tokens
			} else {
				broken = true
				if len(w.Content) > 0 {
					same += w.tokens * n / len(w.Content)
				}
				if cause == "" {
					env.Break = &Break{Layer: layerOf(i, env.request), Offset: n}
				}
			}
		}
		i++
	}
	if _, more := last.at(i); cause == "" && !broken && more {
		env.Break = &Break{Layer: "L4"}
	}
	env.Predicted = Prediction{Prompt: in.t.Budget.scale(total), Counted: total, Bytes: bytes}
	cached := in.t.Budget.scale(same)
	was, now := in.c.epoch.set, in.t.Settings
	other := was.Model != now.Model || was.Tools != now.Tools // tools stand before everything else
	if in.t.Cache.Cold || in.t.Cache.None || other || cached < in.t.Cache.Min {
		cached = 0
	}
	if step := in.t.Cache.Step; step > 1 {
		cached -= cached % step
	}
	env.Predicted.Cached = cached
}

func sameMessage(a, b Message) bool {
	return a.Role == b.Role && a.Content == b.Content && slices.EqualFunc(a.Images, b.Images, sameImage)
}

// sameImage tells images apart without looking at their bytes.
func sameImage(a, b Image) bool {
	return a.Name == b.Name && a.MIME == b.MIME && a.URL == b.URL && len(a.Data) == len(b.Data)
}

// commonPrefix is the number of leading bytes that two messages share; 0 if
// they are of different roles.
func commonPrefix(a, b Message) int {
	if a.Role != b.Role {
		return 0
	}
	if a.Content == b.Content {
		return len(a.Content)
	}
	n := min(len(a.Content), len(b.Content))
	// By blocks first: comparing strings is much faster than comparing bytes.
	const chunk = 4096
	i := 0
	for i+chunk <= n && a.Content[i:i+chunk] == b.Content[i:i+chunk] {
		i += chunk
	}
	for i < n && a.Content[i] == b.Content[i] {
		i++
	}
	return i
}

// layerOf names the layer of the i-th message of a request.
func layerOf(i int, r *request) string {
	if i == 0 && r.system.Content != "" {
		return "system"
	}
	return "L4"
}
