package wire

// Facts are those of a model at a server that requests go by. The zero
// value is nothing.
type Facts struct {
	Thinks bool // it reasons before it answers
	// levels of effort that it takes, least first, with "none" where it can go without; nil if not known
	Efforts   []string
	Marks     string // the field that carries a cache mark, "" if it takes none
	MaxOutput int    // tokens of a reply to ask for where the protocol wants a number, 0 if not known
	Adaptive  bool   // Claude: it decides itself how long to think, within an effort; else it is given a budget
	Responses bool   // OpenAI: while it thinks, it takes tools over the Responses API alone
}

// Facts are those of a model, the zero value if nobody knows any.
func (c *Client) Facts(model string) Facts {
	if c.opts.Facts == nil {
		return Facts{}
	}
	return c.opts.Facts(model)
}
