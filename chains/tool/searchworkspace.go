package tool

import (
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	"ibid/chains"
	"ibid/vault"
	"ibid/vault/dates"
	"ibid/vault/index"
)

type workspaceArgs struct {
	Query, Scope, Folder, Since, Until string
	Limit                              int
	Tags                               []string
}

// hitJSON is a note in a list of hits.
type hitJSON struct {
	ID        string  `json:"id"`
	Title     string  `json:"title"`
	Heading   string  `json:"heading,omitempty"`
	Line      int     `json:"line"`
	Snippet   string  `json:"snippet"`
	Score     float64 `json:"score"`
	Modified  string  `json:"modified"`
	InLibrary bool    `json:"inLibrary"`
}

// maxRankedNotes limits the notes that a search with words ranks.
const maxRankedNotes = 80

func (o Options) searchWorkspace(ctx context.Context, a workspaceArgs) chains.ToolOutput {
	by := chains.CallerOf(ctx)
	q, wrong := o.workspaceQuery(a, by)
	if wrong != nil {
		return wrong.output()
	}
	s := o.Searcher(ctx)
	var total int
	if q.Text == "" {
		q.Limit, total = a.Limit, s.Count(q)
	} else {
		q.Limit = max(maxRankedNotes, a.Limit)
	}
	hits, err := s.Search(ctx, q)
	if err != nil {
		return failedResult(err.Error(), "the call failed")
	}
	if total = max(total, len(hits)); len(hits) > a.Limit {
		hits = hits[:a.Limit]
	}
	list, paths := []hitJSON{}, []string{}
	for _, h := range hits {
		hit := hitJSON{
			ID: string(h.Path), Title: h.Title, Heading: h.Heading, Line: h.Line, Snippet: h.Snippet,
			Score:     math.Round(h.Score*1e4) / 1e4,
			InLibrary: by.Held != nil && by.Held(string(h.Path)) != "",
		}
		if n, ok := o.Vault.Note(h.Path); ok {
			hit.Modified = n.ModTime.UTC().Format(time.RFC3339)
		}
		list, paths = append(list, hit), append(paths, hit.ID)
	}
	data := struct {
		Hits  []hitJSON `json:"hits"`
		Total int       `json:"total"`
	}{list, total}
	message := fmt.Sprintf("%d of %d", len(list), total)
	if len(list) == 0 {
		message = strings.TrimSuffix(message+"."+o.unsearched(q.Folder), ".")
	}
	out := chains.ToolOutput{Text: success(data, message), Note: "no note matches"}
	if len(paths) > 0 {
		out.Note = summary(paths)
	}
	return out
}

// workspaceQuery builds the query from the arguments.
func (o *Options) workspaceQuery(a workspaceArgs, by chains.Caller) (q index.Query, wrong *mistake) {
	q = index.Query{Text: strings.TrimSpace(strings.ToValidUTF8(a.Query, " ")), Tags: a.Tags, Hide: vault.Path(by.Chat)}
	if q.Folder, wrong = o.findFolder(a.Folder); wrong != nil {
		return q, wrong
	}
	q.Chats = o.includesChats(q.Folder)
	since, wrong := o.parseDays("since", a.Since)
	if wrong != nil {
		return q, wrong
	}
	until, wrong := o.parseDays("until", a.Until)
	if wrong != nil {
		return q, wrong
	}
	q.When = []dates.Range{{From: since.From, Until: until.Until}}
	q.TimeOnly = q.When[0] != dates.Range{}
	switch around := o.State(by.Active); a.Scope {
	case "pinned":
		q.Notes = []vault.Path{}
		for _, p := range around.Pins {
			q.Notes = append(q.Notes, p.Path)
		}
	case "tabs":
		q.Notes = []vault.Path{}
		for _, t := range around.Tabs {
			q.Notes = append(q.Notes, t.Path)
		}
	}
	if q.Text == "" && q.Folder == "" && len(q.Tags) == 0 && q.Notes == nil {
		q.TimeOnly = true // all notes, by date
	}
	return q, nil
}
