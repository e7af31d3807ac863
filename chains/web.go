package chains

import (
	"context"
	"encoding/json"

	"ibid/chains/toolcall"
)

// WebTool names the tool that searches the web.
const WebTool = "webSearch"

// searchWeb searches the web for the question and adds the results in front of it. Without fetch nothing leaves
// this machine.
func (p *PendingTurn) searchWeb(ctx context.Context, fetch bool) error {
	tool, query := p.s.opts.Tools.toolNamed(WebTool), toolcall.CutWords(typedText(p.in), maxQuery)
	switch {
	case tool == nil:
		p.Missing = append(p.Missing,
			missingWord(WebRef, "no search server is configured; tools.web.search in the configuration names one"))
		return nil
	case query == "":
		p.Missing = append(p.Missing, missingWord(WebRef, "there is nothing to look for in this message"))
		return nil
	case !fetch:
		p.Missing = append(p.Missing, missingRef(WebRef, "later", " is searched when the turn is sent"))
		return nil
	}
	args, _ := json.Marshal(map[string]string{"query": query}) // strings always marshal
	return p.lookUp(ctx, tool, args)
}
