package prompt

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// checkRequest checks every invariant of the engine for one request.
func checkRequest(w *world, env Envelope, turn Turn) {
	msgs := env.Messages()
	r := read(msgs)
	for _, e := range r.errs {
		w.Errorf("the reader: %s", e)
	}
	checkPrefix(w, env, msgs, turn)
	checkLibrary(w, env, turn)
	for _, l := range env.Library {
		checkItem(w, env, turn, r, l)
	}
	checkPlaces(w, env, turn, r, msgs)
	checkNotes(w, env, msgs)
	checkLayout(w, env, turn, r, msgs)
	checkBudget(w, env, turn, msgs)
	checkMarks(w, env, turn.Layout)
	if p := env.Predicted; p.Cached > p.Prompt || p.Cached > 0 &&
		(p.Bytes == 0 && turn.ToolTokens == 0 || turn.Cache.Cold || turn.Cache.Kind == CacheNone ||
			p.Cached < turn.Cache.Min) {
		w.Errorf("predicted %+v of %+v", p, turn.Cache)
	}
	if w.Failed() {
		w.Fatalf("turn %d, epoch %+v\n%s", env.Turn, env.Epoch, env.Dump())
	}
}

// checkPrefix checks invariants 1, 2 and 13.
func checkPrefix(w *world, env Envelope, msgs []Message, turn Turn) {
	if env.Break != nil {
		w.Errorf("invariant 13: %+v", *env.Break)
	}
	if env.Epoch.Cause == "" {
		w.Errorf("invariant 2: an epoch without a cause")
	}
	if env.Epoch.New {
		checkCause(w, env, turn)
	}
	if w.last == nil {
		return
	}
	old := w.last.Messages()
	if !env.Epoch.New {
		if kept := w.kept; len(msgs) < len(kept) || !slices.EqualFunc(kept, msgs[:len(kept)], same) {
			w.Errorf("invariant 1: the request does not extend the one before")
		}
		if was := w.last.next.epoch.set.Tools; was != turn.Settings.Tools {
			w.Errorf("invariant 15: another list of tools without an epoch: %s after %s", turn.Settings.Tools, was)
		}
		if env.Epoch != (EpochInfo{N: w.last.Epoch.N, Cause: w.last.Epoch.Cause, Turn: w.last.Epoch.Turn}) {
			w.Errorf("invariant 2: epoch %+v after %+v", env.Epoch, w.last.Epoch)
		}
	}
	if old[0].Content != msgs[0].Content && !env.Epoch.New {
		w.Errorf("invariant 2: the system message changed without a cause")
	}
	common := 0
	for i := range min(len(old), len(msgs)) {
		a, b := old[i], msgs[i]
		if a.Role != b.Role {
			break
		}
		n := 0
		for n < min(len(a.Content), len(b.Content)) && a.Content[n] == b.Content[n] {
			n++
		}
		common += n
		if n < len(a.Content) || n < len(b.Content) || len(a.Images) != len(b.Images) {
			break
		}
	}
	if env.Predicted.Bytes != common {
		w.Errorf("predicted a common prefix of %d bytes, it is %d", env.Predicted.Bytes, common)
	}
}

// checkCause checks that the cause of a new epoch is true.
func checkCause(w *world, env Envelope, turn Turn) {
	place := func(p string) bool {
		return w.last != nil && slices.ContainsFunc(w.last.Library, func(l LibraryItem) bool { return l.Place == p })
	}
	happened := map[Cause]bool{
		CauseFirst:   w.last == nil && !w.reopened,
		CauseReload:  w.reopened,
		CauseL1:      w.last != nil && w.last.next.epoch.set != turn.Settings || len(w.joined) > 0,
		CauseCold:    turn.Cache.Cold,
		CauseBudget:  turn.Budget.Window > 0,
		CausePromote: turn.Layout == Strict || turn.Layout == Auto && place("transcript") || place(""),
		CauseRefresh: w.refresh,
		CauseForget: len(w.lost) > 0 ||
			slices.ContainsFunc(slices.Collect(maps.Values(turn.Current)), func(c Current) bool { return c.State == Withdrawn }),
	}
	if !happened[env.Epoch.Cause] {
		w.Errorf("invariant 2: nothing explains %q", env.Epoch.Cause)
	}
}

// checkLibrary checks invariant 3 about the order of ids, and that no id is lost.
func checkLibrary(w *world, env Envelope, turn Turn) {
	ids := func(e Envelope, place string) (out []string) {
		for _, l := range e.Library {
			if l.Place == place || place == "" {
				out = append(out, l.Ref.ID)
			}
		}
		return out
	}
	now := ids(env, "")
	if len(slices.Compact(slices.Sorted(slices.Values(now)))) != len(now) {
		w.Errorf("invariant 3: an id twice in %v", now)
	}
	if w.last == nil {
		return
	}
	moved := w.moved(turn)
	carried := func(old []string) (out []string) {
		for _, id := range old {
			if w.lost[id] { // under its old name: another may move there now
				continue
			}
			if to, ok := moved[id]; ok {
				id = to
			}
			out = append(out, id)
		}
		return out
	}
	library, old := ids(env, "system"), carried(ids(*w.last, "system"))
	if len(old) > len(library) || !slices.Equal(old, library[:len(old)]) {
		w.Errorf("invariant 3: the library was %v, is %v", old, library)
	}
	for _, id := range carried(ids(*w.last, "")) {
		if !slices.Contains(now, id) {
			w.Errorf("invariant 3: %s is gone", id)
		}
	}
}

// checkItem checks invariants 4 and 5 and the freshness of one known item: the reader has the
// vault's text, or a notice that it is out of date.
func checkItem(w *world, env Envelope, turn Turn, r *reader, l LibraryItem) {
	id := l.Ref.ID
	b := r.beliefs[id]
	if l.Place == "" {
		checkLeft(w, env, turn, r, l)
		return
	}
	if b == nil {
		w.Errorf("invariant 4: %s is known and nowhere in the prompt", id)
		return
	}
	attached := slices.ContainsFunc(turn.Attached, func(it Item) bool { return it.ID == id }) && !w.silent[id]
	if b.outline {
		if l.State != "stub" && !w.silent[id] {
			w.Errorf("invariant 4: only the outline of %s is there, and it is %q", id, l.State)
		}
		if attached {
			w.Errorf("%s is attached, and only its outline is there", id)
		}
	}
	it, exists := w.make(l.Ref)
	text := it.Content
	if l.Ref.Kind == URL || l.Ref.Kind == Query {
		text, exists = w.fetched[id], true
		if attached {
			text = it.Content
		}
	}
	embeds := ""
	for _, e := range it.Embedded {
		embeds += e.Path + "\x00" + e.Content + "\x00"
	}
	if now, swap := swaps(w, turn, l), r.swapped[id]; swap != (env.Epoch.New && now && b.system && !b.outline &&
		b.state == "current") {
		w.Errorf("%s has a new text in the library: %v, and that is said: %v", id, now, swap)
	}
	want := "outdated"
	switch {
	case !exists:
		want = "deleted"
	case b.outline && l.Revision == NewItem(l.Ref, "", "", text).Embed(it.Embedded).Revision,
		plain(b.content) == text && plain(b.embeds) == embeds:
		want = "current"
	}
	if b.state != want {
		w.Errorf("invariant 4: %s is %s, and the reader thinks that it is %s", id, want, b.state)
	}
	if attached && l.Since == env.Turn && r.listed[id] && !w.joined[w.earlier(turn, id)] {
		w.Errorf("invariant 5: %s is new, and the list refers to it as well", id)
	}
	if attached && b.state != "current" {
		w.Errorf("%s is attached and not current", id)
	}
	if follows := slices.Contains(turn.Project, l.Ref) && !w.silent[id] && !b.outline; follows && exists &&
		b.state != "current" {
		w.Errorf("%s is a note of the project, and %s", id, b.state)
	}
	if muted := l.State == "muted"; muted != w.silent[id] {
		w.Errorf("%s is muted: %v, and should be: %v", id, muted, w.silent[id])
	}
	if wants := map[string]string{"deleted": "deleted", "outdated": "changed"}[want]; wants != "" &&
		l.State != wants && l.State != "muted" && l.State != "stub" {
		w.Errorf("%s is %s, and the report says %s", id, want, l.State)
	}
}

// swaps reports whether the request before had another text of an item.
func swaps(w *world, turn Turn, l LibraryItem) bool {
	if w.last == nil {
		o, ok := w.recalled[w.earlier(turn, l.Ref.ID)]
		return ok && (o.Changed || o.Item.Revision != l.Revision)
	}
	o := w.before(turn, l.Ref.ID)
	return o != nil && o.Place != "" && o.Revision != l.Revision
}

// earlier returns the id of an item before the moves of a turn.
func (w *world) earlier(turn Turn, id string) string {
	for from, to := range w.moved(turn) {
		if to == id {
			return from
		}
	}
	return id
}

// before returns the item of the request before that has this id now, nil if there is none. An
// item that was forgotten and attached again is new.
func (w *world) before(turn Turn, id string) *LibraryItem {
	if w.last == nil {
		return nil
	}
	id = w.earlier(turn, id)
	for i, o := range w.last.Library {
		if o.Ref.ID == id && !w.lost[id] {
			return &w.last.Library[i]
		}
	}
	return nil
}

// checkLeft checks a note with images that the strict layout left out: it was attached in a
// turn before, the prompt does not have its text, and one notice says so.
func checkLeft(w *world, env Envelope, turn Turn, r *reader, l LibraryItem) {
	id := l.Ref.ID
	before := w.before(turn, id)
	left := slices.ContainsFunc(env.NotSent, func(n NotSent) bool { return n.ID == id && n.Left })
	k := env.next.known[env.next.indexOf(id)]
	switch {
	case r.beliefs[id] != nil:
		w.Errorf("%s is left out, and its text is there", id)
	case r.listed[id] || slices.ContainsFunc(turn.Attached, func(it Item) bool { return it.ID == id }) && !w.silent[id]:
		w.Errorf("%s is attached and left out", id)
	case turn.Layout != Strict && w.files[id] != "":
		w.Errorf("S0-77: %s is left out in %s", id, turn.Layout)
	case left != r.left[id]:
		w.Errorf("%s is left out: the person knows: %v, the model: %v", id, left, r.left[id])
	case before != nil && before.Place == "transcript" && !left && !w.silent[id]:
		w.Errorf("S0-77: %s is left out without a word", id)
	case before != nil && before.Place == "" && left && before.State != "muted":
		w.Errorf("S0-77: %s is said to be left out again", id)
	case !k.shown.HasImages && !strings.Contains(w.files[id], "![[") && w.files[id] != "":
		w.Errorf("S0-77: %s is left out and embeds no images", id)
	}
}

// checkPlaces checks invariant 9: the order of the parts.
func checkPlaces(w *world, env Envelope, turn Turn, r *reader, msgs []Message) {
	last := msgs[len(msgs)-1]
	if last.Role != User || !strings.HasSuffix(last.Content, turn.Text) {
		w.Errorf("invariant 9: the question is not last")
	}
	if len(turn.Attached)+len(turn.Tools) == 0 && len(env.Layers[3].Segments) == 0 && last.Content != turn.Text {
		w.Errorf("invariant 9: nothing is attached, and the message is more than the question")
	}
	if msgs[0].Role != System || !strings.HasPrefix(msgs[0].Content, turn.Settings.L1) {
		w.Errorf("the system message does not begin with L1")
	}
	for i, m := range msgs {
		found := strings.Count(m.Content, "TOOLBYTES-")
		if i < len(msgs)-1 && found > 0 || found != strings.Count(m.Content, fmt.Sprintf("TOOLBYTES-%d ", w.counter)) {
			w.Errorf("invariants 9, 14: a tool result of another turn, or in another place:\n%s", m.Content)
		}
		if len(m.Images) > 0 && m.Role != User {
			w.Errorf("images in a message of %s", m.Role)
		}
	}
	for _, m := range w.said {
		if strings.Contains(m.Text, "TOOLBYTES") || strings.Contains(m.Text, "<note_context>") {
			w.Errorf("context in the history that a person sees")
		}
	}
	for _, a := range env.Attached {
		if a.State == "muted" {
			if r.listed[a.Ref.ID] || r.sources[a.Ref.ID] > 0 {
				w.Errorf("%s is muted and referred to", a.Ref.ID)
			}
		} else if !r.listed[a.Ref.ID] && r.sources[a.Ref.ID] == 0 {
			w.Errorf("%s is attached and not in the message", a.Ref.ID)
		}
	}
	checkImages(w, env, turn, r, msgs)
	checkDate(w, env, turn, msgs)
}

// checkDate checks that a reader knows the date: the last line with a date in this epoch is
// right, and no date is repeated without need.
func checkDate(w *world, env Envelope, turn Turn, msgs []Message) {
	said := ""
	for i, m := range msgs {
		n := strings.Count(m.Content, "Today is ")
		if n == 0 {
			continue
		}
		_, rest, _ := strings.Cut(m.Content, "Today is ")
		line, _, _ := strings.Cut(rest, "\n")
		if n > 1 || m.Role != User || line == said || env.Epoch.New && i < len(msgs)-1 {
			w.Errorf("the date in message %d: %s", i, m.Content)
		}
		said = line
	}
	switch {
	case turn.Layout == Strict || turn.Now.IsZero():
		if strings.Contains(msgs[len(msgs)-1].Content, "Today is ") {
			w.Errorf("a date where none belongs")
		}
	case said != turn.Now.Weekday().String()+fmt.Sprintf(", %d %s %d.", turn.Now.Day(), turn.Now.Month(), turn.Now.Year()):
		w.Errorf("the reader thinks that it is %q", said)
	}
}

// checkImages checks that the images of the active note are sent once per epoch, and no others,
// and that in the strict layout a note with images does not enter the library and is sent in
// full by each turn that attaches it.
func checkImages(w *world, env Envelope, turn Turn, r *reader, msgs []Message) {
	images := len(msgs[len(msgs)-1].Images)
	active := slices.IndexFunc(turn.Attached, func(it Item) bool { return it.ID == turn.Active })
	allowed := turn.Vision && active >= 0 && turn.Attached[active].HasImages && !w.silent[turn.Active]
	if images > 0 && !allowed {
		w.Errorf("S0-78: images of something else than the active note")
	}
	if allowed && (images == 0 && env.Epoch.New || r.images == 0) {
		w.Errorf("S0-79: the images of the active note do not travel")
	}
	if turn.Layout != Strict {
		return
	}
	for i, l := range env.Library {
		k := env.next.known[i]
		before := w.last != nil && slices.ContainsFunc(w.last.Library, func(o LibraryItem) bool {
			moved := slices.ContainsFunc(turn.Moves, func(m Move) bool { return m.From.ID == o.Ref.ID && m.To.ID == l.Ref.ID })
			return (o.Ref.ID == l.Ref.ID || moved) && o.Place == "system"
		})
		if l.Place == "system" && k.copy.item.HasImages && !before {
			w.Errorf("S0-77: %s has images and is in the library", l.Ref.ID)
		}
		attached := slices.ContainsFunc(turn.Attached, func(it Item) bool { return it.ID == l.Ref.ID }) && !w.silent[l.Ref.ID]
		if attached && l.Place != "system" && r.sources[l.Ref.ID] == 0 {
			w.Errorf("S0-77: %s is attached and not in the message", l.Ref.ID)
		}
	}
}

// checkNotes checks invariant 8: every note-to-self is sent once, and never displayed.
func checkNotes(w *world, env Envelope, msgs []Message) {
	all := ""
	for _, m := range msgs {
		all += m.Content + "\x00"
	}
	for i, n := range w.notes {
		got := strings.Count(all, n)
		if old := i < len(w.notes)-newestNotes && w.window > 0; got > 1 || got == 0 && !old {
			w.Errorf("invariant 8: note %q occurs %d times", n, got)
		}
	}
	if !slices.Equal(env.next.notes.all(), w.notes) {
		w.Errorf("invariant 8: the notes are %q, should be %q", env.next.notes.all(), w.notes)
	}
	checkPast(w, env)
}

// checkPast checks that the history has the displayed texts with the attachments in front of
// each question, for any sequence of layouts.
func checkPast(w *world, env Envelope) {
	if env.Epoch.New && env.next.strict != (env.Layout == Strict) {
		w.Errorf("the raw history has the form of another layout than %s", env.Layout)
	}
	for _, l := range []Layout{Strict, Auto} {
		past := env.next.cited.all()
		if l == Strict {
			past = env.next.plain.all()
		}
		if len(past) != len(w.said) {
			w.Fatalf("invariant 8: a person sees %d messages, should see %d", len(past), len(w.said))
		}
		for i, m := range past {
			if want := raw(w.said[i], l); m.Role != want.Role || m.Content != want.Content {
				w.Errorf("invariant 8: the history has %q, should have %q", m.Content, want.Content)
			}
			if again := (wire{Message: m.Message}).withSum(); m.tokens != ApproximateTokens(m.Content) || m.sum != again.sum {
				w.Errorf("the history in %s: message %d has another hash or size than its bytes", l, i)
			}
		}
	}
}

// raw returns a message as the raw history of a layout has it.
func raw(m Past, l Layout) Message {
	if l != Strict && m.Context != "" {
		m.Text = strings.NewReplacer("<note_context>", `<\note_context>`).Replace(m.Context) + "\n" + m.Text
	}
	return Message{Role: m.Role, Content: m.Text}
}

// checkLayout checks invariants 6 and 7.
func checkLayout(w *world, env Envelope, turn Turn, r *reader, msgs []Message) {
	if w.reopened {
		for _, s := range env.Layers[3].Segments {
			if s.Kind == "diff" || s.Kind == "update" || s.Kind == "notice" && strings.Contains(s.Text, "changed on disk") {
				w.Errorf("invariant 7: %s after a reload", s.Kind)
			}
		}
	}
	if turn.Layout != Strict && (!env.Epoch.New || env.Epoch.Cause != CausePromote) {
		return
	}
	for i, l := range env.Library {
		images := turn.Layout == Strict && env.next.known[i].shown.HasImages || l.Place == ""
		if l.Since < env.Turn && l.Place != "system" && !images {
			w.Errorf("invariant 6: %s is not in the system message", l.Ref.ID)
		}
		if b := r.beliefs[l.Ref.ID]; turn.Layout == Strict && l.Place == "system" && b != nil && !b.system {
			w.Errorf("invariant 6: the text of %s does not stand in the system message alone", l.Ref.ID)
		}
	}
	if turn.Layout == Strict {
		sent, said := msgs[1:len(msgs)-1], w.said
		if f := env.next.fold; f.turns > 0 {
			sent, said = sent[len(f.replacement):], said[f.messages:]
		}
		if !slices.EqualFunc(sent, said, func(a Message, b Past) bool { b2 := raw(b, Strict); return a.same(&b2) }) {
			w.Errorf("invariant 6: the history is not raw")
		}
	}
}

// checkBudget checks invariant 12 with a count of its own.
func checkBudget(w *world, env Envelope, turn Turn, msgs []Message) {
	window := turn.Budget.Window
	if window == 0 {
		if len(env.Shortened) > 0 {
			w.Errorf("invariant 12: shortened without need")
		}
		return
	}
	bytes, images := 0, 0
	for _, m := range msgs {
		bytes += len(m.Content)
		images += len(m.Images)
	}
	factor := turn.Budget.Factor
	if factor == 0 {
		factor = 1
	}
	tokens := factor * float64(bytes/4+images*1000)
	if limit := float64(window - turn.Budget.Reserve); tokens > limit*1.02+50 {
		w.Errorf("invariant 12: about %.0f tokens, and %.0f fit", tokens, limit)
	}
	for _, l := range env.Layers {
		if l.Cached < 0 || l.Cached > l.Tokens {
			w.Errorf("layer %s: %d of %d tokens cached", l.ID, l.Cached, l.Tokens)
		}
	}
	if got := slices.Collect(maps.Keys(turn.Current)); len(got) > 0 && env.Predicted.Cached > env.Predicted.Prompt {
		w.Errorf("more cached than sent")
	}
}

func same(a, b Message) bool { return a.same(&b) }

// keptMessages returns the messages of a request that the conversation keeps: those without the output
// of tools. It reads them from the request itself.
func keptMessages(env Envelope) []Message {
	var out []Message
	msgs := env.Messages()
	out = append(out, msgs[:len(msgs)-len(env.request.loop)]...)
	for _, m := range out {
		if m.Role == ToolRole || len(m.ToolCalls) > 0 {
			panic("a round in the conversation")
		}
	}
	last := &out[len(out)-1]
	if strings.HasPrefix(last.Content, toolHeading+"\n\n") {
		i := 0
		for n := 1; n < 9; n++ {
			end := fmt.Sprintf("\n</tool%d>\n\n", n)
			if j := strings.Index(last.Content, end); j >= 0 {
				i = max(i, j+len(end))
			}
		}
		last.Content = strings.TrimPrefix(last.Content[i:], "---\n\n"+queryLabel+"\n")
	}
	return out
}

// checkMarks checks the places of cache marks: at most four, at the end of L1 and of L2, and at
// ends of bytes that the next request or round repeats. It also checks the parts of messages:
// the system message has a part for each item of the library.
func checkMarks(w *world, env Envelope, layout Layout) {
	msgs, again := env.Messages(), keptMessages(env)
	if layout == Strict {
		again = again[:len(again)-1] // the question is repeated without what stands before it
	}
	marks := 0
	for i, m := range msgs {
		end := 0
		for _, p := range m.Parts {
			if p.End <= end || p.End > len(m.Content) {
				w.Errorf("message %d is cut at %+v", i, m.Parts)
			}
			end = p.End
			if p.Mark {
				marks++
			}
		}
		if end != 0 && end != len(m.Content) {
			w.Errorf("message %d of %d bytes is cut at %+v", i, len(m.Content), m.Parts)
		}
		if end != 0 && i > 0 && !(i < len(again) && same(again[i], m)) && !(len(env.request.loop) > 0 && i == len(msgs)-1) {
			w.Errorf("message %d is marked, and the next request has it otherwise: %q", i, m.Content)
		}
	}
	ep := env.next.epoch
	parts := len(ep.copies)
	if parts > 0 && !slices.Contains(msgs[0].Parts, Part{len(ep.l1.text) + 2 + len(ep.library.text), true}) {
		w.Errorf("no mark at the end of the library: %+v", msgs[0].Parts)
	}
	for _, s := range []segment{ep.l1, ep.notes, ep.guide} {
		if s.text != "" {
			parts++
		}
	}
	if len(msgs[0].Parts) != parts || marks > 4 || marks == 0 {
		w.Errorf("%d marks, a system message of %d parts, want %d", marks, len(msgs[0].Parts), parts)
	}
}

// checkTextRound does the same as checkRound for calls in text: the reply is unchanged, and one
// user message has the results and ends with the question.
func checkTextRound(w *world, before, env Envelope, reply string, results []ToolResult) {
	old, msgs := before.Messages(), env.Messages()
	if len(msgs) != len(old)+2 || !slices.EqualFunc(old, msgs[:len(old)], same) {
		w.Fatalf("invariant 1: a round does not extend the one before")
	}
	said, found := msgs[len(old)], msgs[len(old)+1]
	if said.Role != Assistant || said.Content != reply || len(said.ToolCalls) > 0 || found.Role != User {
		w.Errorf("a round in text is %+v, %+v", said, found)
	}
	if guide := env.next.epoch.set.Guide; !strings.HasSuffix(msgs[0].Content, "\n\n"+guide) {
		w.Errorf("the system message does not end with %q", guide)
	}
	body, question, ok := strings.Cut(found.Content, "\n\n---\n\n"+queryLabel+"\n")
	if !ok || question != env.question || !strings.HasPrefix(body, toolHeading+"\n\n<tool1>\n") {
		w.Errorf("invariant 9: results in text\n%s", found.Content)
	}
	documents := 0
	for _, t := range results {
		documents += len(t.Documents)
	}
	if n := strings.Count(body, "\n</tool1>"); n != len(results) {
		w.Errorf("%d blocks of %d results:\n%s", n, len(results), body)
	}
	if n := strings.Count(body, "\n</document>\n"); n != documents {
		w.Errorf("%d documents, want %d:\n%s", n, documents, body)
	}
	checkWeight(w, before, env)
}

// checkRound checks invariants 1, 9, 10 and 13 for the rounds of a turn.
func checkRound(w *world, before, env Envelope, calls []ToolCall, results []ToolResult) {
	old, msgs := before.Messages(), env.Messages()
	if len(msgs) != len(old)+1+len(results) || !slices.EqualFunc(old, msgs[:len(old)], same) {
		w.Fatalf("invariant 1: a round does not extend the one before")
	}
	if !slices.Equal(msgs[len(old)].ToolCalls, calls) || msgs[len(old)].Echo != "echo" {
		w.Errorf("the reply of the round is %+v", msgs[len(old)])
	}
	asked := 0
	for i, m := range msgs {
		if i >= len(old) && strings.HasSuffix(m.Content, queryLabel+"\n"+env.question) {
			asked++
		}
		if m.Role == System && strings.Contains(m.Content, "TOOLBYTES") {
			w.Errorf("invariant 9: a result in the system message")
		}
	}
	documents := slices.ContainsFunc(results, func(t ToolResult) bool { return len(t.Documents) > 0 })
	if want := map[bool]int{true: 1}[documents]; asked != want {
		w.Errorf("invariant 9: the question ends %d results, want %d", asked, want)
	}
	for i, t := range results {
		m := msgs[len(old)+1+i]
		if m.ToolCallID != t.Call || m.Role != ToolRole {
			w.Errorf("result %d answers %q", i, m.ToolCallID)
		}
		if n := strings.Count(m.Content, "\n</document>\n"); n != len(t.Documents) {
			w.Errorf("%d documents in a result of %d:\n%s", n, len(t.Documents), m.Content)
		}
	}
	checkWeight(w, before, env)
}

// checkWeight checks the size of a round, and that it is in the same epoch as the one before.
func checkWeight(w *world, before, env Envelope) {
	old, msgs := before.Messages(), env.Messages()
	if env.Epoch != before.Epoch || env.Break != nil {
		w.Errorf("a round in another epoch: %+v after %+v", env.Epoch, before.Epoch)
	}
	bytes := 0
	for _, m := range old {
		bytes += len(m.Content)
	}
	checkMarks(w, env, w.layout)
	counted := env.next.epoch.system.tokens
	for _, m := range msgs[len(old):] {
		counted += m.size(ApproximateTokens)
	}
	if got := env.Predicted.Counted - before.Predicted.Counted + env.next.epoch.system.tokens; got != counted {
		w.Errorf("invariant 13: a round weighs %d, counted %d", got, counted)
	}
	if env.Predicted.Bytes != bytes {
		w.Errorf("a round shares %d bytes with the one before, predicted %d", bytes, env.Predicted.Bytes)
	}
	sum := 0
	for _, l := range env.Layers {
		sum += l.Tokens
	}
	if off := sum - env.Predicted.Prompt; off > 12 || off < -12 { // each part is rounded
		w.Errorf("the layers weigh %d, the request %d", sum, env.Predicted.Prompt)
	}
}
