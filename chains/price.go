package chains

import (
	"fmt"
	"strings"

	"ibid/context/prompt"
	"ibid/context/tokens"
)

// Price holds the rates of a model in US dollars per million tokens. Where cached or written tokens have no rate of
// their own, that of the other tokens is set.
type Price tokens.Price

// Pricer is a Model that may know its rates.
type Pricer interface{ Price() Price }

// Price returns the current rates of the model. Where writing to the cache costs nothing extra, Written is Input.
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

// Free reports whether the model is known to cost nothing.
func (p Price) Free() bool { return p.Known && p.Input == 0 && p.Output == 0 }

const million = 1e6

// Of returns the price of a request in dollars, as the provider reported it, else computed from the reported
// tokens. A negative price means unknown.
func (p Price) Of(u Usage) float64 {
	if u.Cost >= 0 || !p.Known || u.Prompt < 0 || u.Completion < 0 {
		return u.Cost
	}
	cached, written := max(u.Cached, 0), max(u.CacheWrite, 0)
	rest := max(u.Prompt-cached-written, 0)
	return (float64(rest)*p.Input + float64(cached)*p.Cached + float64(written)*p.Written +
		float64(u.Completion)*p.Output) / million
}

// Sending predicts the price of a request without its reply in dollars, negative if unknown.
func (p Price) Sending(r prompt.Prediction) float64 {
	if !p.Known {
		return -1
	}
	return (float64(max(uncachedTokens(r), 0))*p.Written + float64(r.Cached)*p.Cached) / million
}

// String returns the rates per million tokens, "$3 in, $15 out"; "" if unknown.
func (p Price) String() string {
	switch {
	case !p.Known:
		return ""
	case p.Free():
		return "free"
	}
	return perMillion(p.Input) + " in, " + perMillion(p.Output) + " out"
}

// PerMillion returns known rates in the form for the end of a sentence.
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

// perMillion formats a rate with no more digits than it has.
func perMillion(dollars float64) string { return fmt.Sprintf("$%.4g", dollars) }

// Dollars formats an amount, small ones with more digits. It returns "" for zero and for unknown amounts.
func Dollars(amount float64) string {
	switch {
	case !(amount > 0): // also excludes NaN
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
