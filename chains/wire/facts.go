package wire

// Facts are facts about a model at a server that change its requests. In the zero value nothing is known.
type Facts struct {
	Thinks bool // it reasons before it answers
	// levels of effort, least first, with "none" if it can do without; nil if unknown
	Efforts   []string
	Marks     string // name of the field for a cache mark, "" if it takes none
	MaxOutput int    // tokens of a reply to ask for if the protocol requires a number, 0 if unknown
	Adaptive  bool   // Claude: it chooses how long to think within an effort, and takes no budget
	Responses bool   // OpenAI: while it reasons, it takes tools in the Responses API only
}

// Facts returns the known facts about a model.
func (c *Client) Facts(model string) Facts {
	if c.opts.Facts == nil {
		return Facts{}
	}
	return c.opts.Facts(model)
}
