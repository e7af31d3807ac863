package chains

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"ibid/context/prompt"
	"ibid/vault/md"
)

// Limits of the request for other words of a question.
const (
	widenTokens       = 150
	widenTime         = 1500 * time.Millisecond
	maxLateAnswers    = 2 // late answers after which a chat asks no more
	maxPhrasings      = 3
	maxQuestionTokens = 140 // tokens of the question in the request
)

// widenPrompt asks for other words of a question. The languages of the notes are appended.
const widenPrompt = `A search looks for the words of a question in somebody's notes, which may say the same in other words. ` +
	`Write one JSON object and nothing else: {"phrasings":[up to 3 short rewordings of the question],"terms":[up to 8 words or names that a note with the answer is likely to have]}. ` +
	`Use synonyms and the words of the subject; do not answer the question.`

// widening records whether requests for other words of a question are worthwhile.
type widening struct {
	late  int
	off   bool   // no further requests
	spent *Usage // usage that no turn has counted yet, may be nil
}

// widen adds other words of the question to a search. It asks the model once a question; where no request may be
// made, it uses an earlier answer.
func (p *PendingTurn) widen(ctx context.Context, args *SearchArguments) error {
	s := p.s
	if !s.opts.Background.Widen || s.opts.ModelName == "" { // without a name the turn chooses a model first
		return nil
	}
	request := p.widenRequest(args)
	key := request.Model + "\n" + request.Messages[1].Content
	if known, ok := s.opts.Process.widened.Load(key); ok {
		found := known.(SearchArguments)
		args.Terms, args.Phrasings = found.Terms, found.Phrasings
		return nil
	}
	thinks, w := s.opts.Background.Thinks, &s.tools.widening
	switch {
	case !p.tools.mayAsk || w.off:
		return nil
	case thinks != nil && thinks(request.Model):
		if request.Effort = EffortOff; s.opts.Background.Stops != nil && !s.opts.Background.Stops(request.Model) {
			p.stopWidening("always thinks first")
			return nil
		}
	}
	inner, cancel := context.WithTimeout(ctx, widenTime)
	defer cancel()
	reply, usage, err := wholeReply(inner, s.opts.Model, request, func(n Notice) { p.notices = append(p.notices, n) })
	if spendSideRequest(s, request.Model, usage); usage != nil {
		if w.spent != nil {
			*usage = w.spent.Plus(*usage)
		}
		w.spent = usage
	}
	found := readWidened(reply)
	s.opts.Log.DebugContext(ctx, "widen", "bytes", len(reply), "phrasings", len(found.Phrasings), "terms",
		len(found.Terms), "err", err)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(inner.Err(), context.DeadlineExceeded):
		if w.late++; w.late == maxLateAnswers {
			p.stopWidening(fmt.Sprintf("took longer than %s twice", widenTime))
		}
	case err == nil && reply == "":
		p.stopWidening("does not stop thinking")
	case err == nil:
		s.opts.Process.widened.Store(key, found)
		args.Terms, args.Phrasings = found.Terms, found.Phrasings
	}
	return nil
}

// stopWidening stops the requests for this chat and tells the person why.
func (p *PendingTurn) stopWidening(why string) {
	p.s.tools.widening.off = true
	p.notice("search", "The model "+why+": in this chat notes are searched for the words of the question alone.")
}

// widenRequest returns the request for other words of a question. It contains no note.
func (p *PendingTurn) widenRequest(args *SearchArguments) Request {
	s, system := p.s, widenPrompt
	if languages := s.opts.Tools.Languages; languages != nil {
		if list := languages(); len(list) > 0 {
			system += " Use the languages of the notes: " + strings.Join(list, ", ") + "."
		}
	}
	question := md.OneLine(args.Query)
	if len(args.Before) > 0 {
		question += " (before it was about " + strings.Join(args.Before, ", ") + ")"
	}
	for n := maxQuery; s.opts.Count(question) > maxQuestionTokens && n > 1; n = n * 3 / 4 {
		question = md.Clip(question, n)
	}
	return Request{
		Model: s.opts.ModelName, MaxTokens: widenTokens, CacheKey: cacheKey(s.chat.Epoch) + "-widen",
		Question: p.in.Text,
		Messages: []prompt.Message{
			{Role: prompt.System, Content: system},
			{Role: prompt.User, Content: "Question: " + question},
		},
	}
}

// readWidened parses the answer. It returns a zero value for anything that is no answer.
func readWidened(reply string) (found SearchArguments) {
	from, to := strings.IndexByte(reply, '{'), strings.LastIndexByte(reply, '}')
	var said struct{ Phrasings, Terms []string }
	if from < 0 || to < from || json.Unmarshal([]byte(reply[from:to+1]), &said) != nil {
		return found
	}
	cut := func(list []string, most, longest int) (out []string) {
		for _, text := range list {
			if text = md.OneLine(text); text != "" && len(out) < most && utf8.RuneCountInString(text) <= longest {
				out = append(out, text)
			}
		}
		return out
	}
	return SearchArguments{
		Phrasings: cut(said.Phrasings, maxPhrasings, maxQuery),
		Terms:     cut(said.Terms, maxTerms, maxTermLength),
	}
}
