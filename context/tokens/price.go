package tokens

// PriceModel is how a kind of provider charges for a prompt, relative to the
// price of an uncached input token.
type PriceModel struct {
	Name  string
	Read  float64 // of a token that was found in the cache
	Write float64 // of a token that was not and is stored now; 1 is no extra charge
	Min   int     // tokens below which nothing is stored or found
	Step  int     // matches are rounded down to a multiple of this, 0 for exact ones
	Match Match
}

// PriceModels are the shapes of price that layouts of a prompt are compared
// under. They are no price list: what a turn costs is what the provider reports.
func PriceModels() []PriceModel {
	return []PriceModel{
		// developers.openai.com, guide on prompt caching, as of September 2026.
		{Name: "OpenAI up to GPT-5.5", Read: 0.1, Write: 1, Min: 1024, Step: 128, Match: MatchPrefix},
		// The same page: marks from GPT-5.6 on, writes are charged.
		{Name: "GPT-5.6 and later", Read: 0.1, Write: 1.25, Min: 1024, Match: MatchBoundary},
		// platform.claude.com, prompt caching, as of September 2026: five-minute entries.
		{Name: "Anthropic", Read: 0.1, Write: 1.25, Min: 1024, Match: MatchBlock},
		// api-docs.deepseek.com, kv cache, as of September 2026.
		{Name: "DeepSeek V4", Read: 0.02, Write: 1, Min: 64, Match: MatchRequest},
	}
}
