package chains

import (
	"fmt"
	"strings"

	"ibid/context/prompt"
)

// Price holds the rates of a model in US dollars a million tokens. Where the cached or
// the written tokens of a prompt have no price of their own, it is that of the others.
type Price struct {
	Known   bool    // the rest is zero without it
	Input   float64 // tokens of the prompt that are not cached
	Cached  float64 // those that the cache has
	Written float64 // those that are put into it
	Output  float64 // tokens of the reply, thinking included
}

// Pricer is a Model that may know what it costs.
type Pricer interface{ Price() Price }

// Price asks the model for the rates of now. Where writing to the cache is not
// charged, Written is Input.
func (o *Options) Price() Price {
	pricer, ok := o.Model.(Pricer)
	if !ok {
		return Price{}
	}
	p := pricer.Price()
	if o.Cache.Write <= 1 {
		p.Written = p.Input
	}
	return p
}

// Free says that the model is known to cost nothing.
func (p Price) Free() bool { return p.Known && p.Input == 0 && p.Output == 0 }

const million = 1e6

// Of prices a request in dollars, as the provider reported it, else by the tokens that
// it reported. A negative price is not known.
func (p Price) Of(u Usage) float64 {
	if u.Cost >= 0 || !p.Known || u.Prompt < 0 || u.Completion < 0 {
		return u.Cost
	}
	cached, written := max(u.Cached, 0), max(u.CacheWrite, 0)
	rest := max(u.Prompt-cached-written, 0)
	return (float64(rest)*p.Input + float64(cached)*p.Cached + float64(written)*p.Written +
		float64(u.Completion)*p.Output) / million
}

// Sending predicts the price of a request without its reply in dollars, negative if
// that is not known.
func (p Price) Sending(r prompt.Prediction) float64 {
	if !p.Known {
		return -1
	}
	return (float64(max(uncachedTokens(r), 0))*p.Written + float64(r.Cached)*p.Cached) / million
}

// String is the price for people: "$3 in, $15 out", a million tokens each; "" if it
// is not known.
func (p Price) String() string {
	switch {
	case !p.Known:
		return ""
	case p.Free():
		return "free"
	}
	return perMillion(p.Input) + " in, " + perMillion(p.Output) + " out"
}

// PerMillion is a known price as a sentence ends with it.
func (p Price) PerMillion() string {
	if p.Free() {
		return "nothing"
	}
	text := p.String()
	if p.Cached != p.Input {
		text = strings.Replace(text, " in, ", " in ("+perMillion(p.Cached)+" cached), ", 1)
	}
	return text + " a million tokens"
}

// perMillion is a price of a list, with no more digits than it has.
func perMillion(dollars float64) string { return fmt.Sprintf("$%.4g", dollars) }

// Dollars is an amount for people, small ones with as many digits as say something;
// "" for nothing and for what is not known.
func Dollars(amount float64) string {
	switch {
	case !(amount > 0): // not a number is no amount either
		return ""
	case amount < 0.0001:
		return "< $0.0001"
	case amount < 0.01:
		return fmt.Sprintf("$%.4f", amount)
	case amount < 1:
		return fmt.Sprintf("$%.3f", amount)
	}
	return fmt.Sprintf("$%.2f", amount)
}
