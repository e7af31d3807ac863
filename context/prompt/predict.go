package prompt

// predict compares the request with the one before, message by message. Equal
// messages mostly share their memory, so that costs next to nothing. What tools
// found for the turn before is not sent again, so only what stands before that
// has to be as it was.
func (in *incoming) predict(env *Envelope, cause Cause) {
	total, same, bytes := in.t.ToolTokens, 0, 0
	i, broken, last := 0, false, in.c.last
	if last != nil {
		same = in.t.ToolTokens // the list stands before everything else
	}
	for w := range env.request.all() {
		total += w.tokens
		if before, ok := last.at(i); ok && !broken {
			n := commonPrefix(before.Message, w.Message)
			bytes += n
			if before.Message.same(&w.Message) {
				same += w.tokens
			} else {
				broken = true
				if len(w.Content) > 0 {
					same += w.tokens * n / len(w.Content)
				}
				if cause == "" && i < last.lasting() {
					env.Break = &Break{Layer: layerOf(i, env.request), Offset: n}
				}
			}
		}
		i++
	}
	if cause == "" && !broken && i < last.lasting() {
		env.Break = &Break{Layer: "L4"}
	}
	was, now := in.c.epoch.set, in.t.Settings
	other := was.Model != now.Model || was.Tools != now.Tools
	env.rules, env.budget = in.t.Cache, in.t.Budget
	env.Predicted = env.price(total, same, bytes, other || in.t.Cache.Cold)
}

// price is the prediction for so many counted tokens, of which some are the same
// as in the request before; cold says that the provider no longer has them.
func (e *Envelope) price(total, same, bytes int, cold bool) Prediction {
	p := Prediction{Prompt: e.budget.scale(total), Cached: e.budget.scale(same), Counted: total, Bytes: bytes}
	if e.rules.None || cold || p.Cached < e.rules.Min {
		p.Cached = 0
	}
	if step := e.rules.Step; step > 1 {
		p.Cached -= p.Cached % step
	}
	return p
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
	if i == 0 && r.system[0].Content != "" {
		return "system"
	}
	return "L4"
}
