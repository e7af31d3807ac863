package tool

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"ibid/chains"
	"ibid/vault"
	"ibid/vault/dates"
	"ibid/vault/index"
	"ibid/vault/md"
)

type localArgs struct {
	chains.SearchArguments
	TimeRange string
	Folder    string
	Tags      []string
	Limit     int
}

// localTool is localSearch with the languages of the notes in its description.
type localTool struct {
	chains.Tool
	languages func() []string
}

// Spec returns the same value as long as the languages of the vault do.
func (t localTool) Spec() chains.ToolSpec {
	s := t.Tool.Spec()
	if list := t.languages(); len(list) > 0 {
		s.Description += " The notes are in " + strings.Join(list, ", ") + "."
	}
	return s
}

// Languages returns a function that returns the languages of the notes. It remembers the first answer, once there
// are notes.
func Languages(v *vault.Vault) func() []string {
	var mu sync.Mutex
	var found []string
	return func() []string {
		mu.Lock()
		defer mu.Unlock()
		if found == nil {
			found = index.Languages(v)
		}
		return found
	}
}

// Limits and texts of a search.
const (
	maxPassages     = 60
	maxPassageBytes = 24_000
	maxNoteRunes    = 24_000 // characters of notes that are read whole
	minTimeHits     = 3      // hits in a time, below which notes of other times are searched, too
	maxNearTitles   = 5      // similar titles that are listed if nothing is found
	howToCite       = "Cite with [^n] right after the claim, n from the list; at most three a paragraph; nothing that is not there."
	answerFrom      = "Answer the question based only on the following context:"
	nothingMatch    = "No note matches."
	notToBeSent     = "nothing that may be sent"
	withoutAnIdx    = "read without the index"
	searchedWider   = "Few notes are of that time (%s): notes of other times were searched too."
	timePreferred   = "timeRange=%q (preferred): notes of that time come first, others may answer too."
	timeOnly        = "timeRange=%q (only): nothing but notes of that time was searched."
	shortTime       = 31 * 24 * time.Hour // for which notes without the words of the query are added
)

// years matches the part of a time that is significant as a word. "last" and "week" are in many texts, and count
// half.
var years = regexp.MustCompile(`\b\d{4}\b`)

// noteSearch is one search.
type noteSearch struct {
	*Options
	searcher index.Searcher
	query    index.Query
	text     string // text of the query, "" for any
	when     string // name of the time, "" for any
	wider    bool   // notes of other times were added
	index.Passages
}

func (o Options) localSearch(ctx context.Context, a localArgs) chains.ToolOutput {
	s := noteSearch{Options: &o, searcher: o.Searcher(ctx)}
	if wrong := s.read(a, chains.CallerOf(ctx)); wrong != nil {
		return wrong.output()
	}
	if err := s.search(ctx); err != nil {
		return failedResult(err.Error(), "the call failed")
	}
	return s.output()
}

// read builds the query from the arguments.
func (s *noteSearch) read(a localArgs, by chains.Caller) (wrong *mistake) {
	folder, wrong := s.findFolder(a.Folder)
	if wrong != nil {
		return wrong
	}
	given, wrong := s.parseDays("timeRange", a.TimeRange)
	if wrong != nil {
		return wrong
	}
	s.text = md.OneLine(strings.ToValidUTF8(a.Query, " "))
	rest, when, times := dates.Cut(s.text, s.Now())
	terms, before := s.terms(a.Terms), s.terms(a.Before)
	s.query = index.Query{
		Text: strings.Join(append(years.FindAllString(when, -1), rest), " "), Terms: terms, Limit: a.Limit,
		Phrasings: append([]string{when + " " + before}, a.Phrasings...), Folder: folder, Tags: a.Tags,
		Chats: s.includesChats(folder), Hide: vault.Path(by.Chat), Skip: s.skippedFolder(folder),
	}
	anything := !hasSubject(rest + " " + terms + " " + before)
	s.query.When, s.query.TimeOnly = times, anything && when != ""
	if label := strings.TrimSpace(a.TimeRange); label != "" {
		when, s.query.When, s.query.TimeOnly = label, []dates.Range{given}, true
	}
	s.when = md.OneLine(when)
	if anything && (s.when != "" || folder != "" || len(a.Tags) > 0) {
		s.text, s.query = "", s.query.Any()
	}
	s.query.Limit = cmp.Or(a.Limit, maxPassages)
	if s.query.Bytes = min(cmp.Or(by.Room, maxPassageBytes), maxPassageBytes); s.when != "" && s.query.Text != "" {
		s.query.Bytes -= s.query.Bytes / 4 // for notes of the time that contain none of the words
	}
	return nil
}

// terms returns the additional words of a search. It leaves out times.
func (s *noteSearch) terms(salient []string) string {
	words := slices.DeleteFunc(slices.Clone(salient), func(term string) bool {
		_, is := dates.Parse(term, s.Now())
		return is
	})
	return strings.ToValidUTF8(strings.Join(words, " "), " ")
}

// search finds the passages. If there are few from a requested time, it adds other notes of that time, then those
// of other times. If the query names a short time, it always adds some notes of that time.
func (s *noteSearch) search(ctx context.Context) (err error) {
	if s.Passages, err = s.searcher.Passages(ctx, s.query); err != nil {
		return err
	}
	anything, anytime := s.query.Any(), s.query
	anything.Limit, anything.TimeOnly = s.query.Limit/2, true
	anytime.TimeOnly = false
	switch {
	case s.when == "" || s.query.Text == "":
	case s.query.TimeOnly && len(s.List) < minTimeHits:
		if _, err = s.add(ctx, anything); err == nil {
			s.wider, err = s.add(ctx, anytime)
		}
	case !s.query.TimeOnly && s.query.Limit > 2*minTimeHits &&
		s.query.When[0].Until.Sub(s.query.When[0].From) <= shortTime:
		s.List = s.List[:min(len(s.List), s.query.Limit-minTimeHits)]
		anything.Limit = minTimeHits
		_, err = s.add(ctx, anything)
	}
	return err
}

// add appends the passages of another query.
func (s *noteSearch) add(ctx context.Context, q index.Query) (some bool, err error) {
	more, err := s.searcher.Passages(ctx, q)
	s.Sections = max(more.Sections, s.Sections)
	for _, p := range more.List {
		same := func(k index.Passage) bool {
			return k.Note.Path == p.Note.Path && (q.Text == "" || k.From <= p.To && p.From <= k.To)
		}
		if len(s.List) < s.query.Limit && !slices.ContainsFunc(s.List, same) {
			s.List, some = append(s.List, p), true
		}
	}
	return some, err
}

// output returns the passages that were found.
func (s *noteSearch) output() chains.ToolOutput {
	var out chains.ToolOutput
	if s.text != "" {
		out.Attributes = append(out.Attributes, [2]string{"query", s.text})
	}
	if s.when != "" {
		out.Attributes = append(out.Attributes, [2]string{"timeRange", s.when})
	}
	var paths []string
	left := maxPassageBytes
	for _, p := range s.List {
		text := md.WithoutFootnotes(p.Text)
		if left -= len(text); left < 0 {
			break
		}
		id, path := len(out.Documents)+1, string(p.Note.Path)
		out.Documents = append(out.Documents, chains.Document{
			ID: id, Title: p.Note.Title, Aliases: p.Note.Aliases, Path: path, Heading: p.Heading,
			From: p.From, To: p.To, Modified: p.Note.ModTime.Format(time.DateOnly), Content: text,
		})
		out.Sources = append(out.Sources, chains.Source{
			ID: id, Path: path, Heading: p.Heading, From: p.From, To: p.To, Revision: s.Revision(p.Note.Path),
		})
		paths = append(paths, path)
	}
	if len(out.Documents) == 0 {
		return s.emptyOutput(out)
	}
	guidance := append([]string{howToCite}, s.describeTime()...)
	if s.Weak != "" {
		guidance = append(guidance, "The best note has "+s.Weak+".")
	}
	if n := len(out.Documents); s.Sections > n {
		guidance = append(guidance,
			fmt.Sprintf("%d of %d sections; narrow the query, the folder or the time.", n, s.Sections))
	}
	out.Text, out.Guidance, out.Note = answerFrom, strings.Join(guidance, "\n"), s.formatRemark(summary(paths))
	return out
}

// describeTime describes the effect of the time on the search.
func (s *noteSearch) describeTime() []string {
	switch {
	case s.when == "":
		return nil
	case s.wider:
		from, to := formatRange(s.query.When[0])
		return []string{fmt.Sprintf(searchedWider, strings.TrimSpace(from+" to "+to))}
	case s.query.TimeOnly:
		return []string{fmt.Sprintf(timeOnly, s.when)}
	}
	return []string{fmt.Sprintf(timePreferred, s.when)}
}

// formatRemark adds to a remark for the person how the notes were found.
func (s *noteSearch) formatRemark(text string) string {
	text, list, _ := strings.Cut(text, ":")
	if s.wider {
		text += ", also of other times"
	}
	if s.searcher.Index == nil {
		text += ", " + withoutAnIdx
	}
	if list != "" {
		text += ":" + list
	}
	return text
}

// emptyOutput returns the output of a search without hits.
func (s *noteSearch) emptyOutput(out chains.ToolOutput) chains.ToolOutput {
	out.Text, out.Guidance, out.Note = nothingMatch, strings.Join(s.describeTime(), "\n"),
		s.formatRemark("no note matches")
	if isWithheld(s.Vault, s.query) {
		out.Note = s.formatRemark(notToBeSent)
	}
	out.Text += s.unsearched(s.query.Folder)
	if titles := s.similarTitles(); len(titles) > 0 {
		out.Text += " Near titles: " + strings.Join(titles, ", ")
	}
	return out
}

// similarTitles returns titles of notes that the words of the query may mean.
func (s *noteSearch) similarTitles() (titles []string) {
	seen := map[vault.Path]bool{}
	for _, word := range append([]string{s.query.Text}, strings.Fields(s.query.Text)...) {
		if utf8.RuneCountInString(word) < 3 || len(index.SignificantWords(word)) == 0 {
			continue
		}
		found := s.Vault.Find(word, vault.ToRead)
		for _, p := range append([]vault.Path{found.Path}, found.Candidates...) {
			n, ok := s.Vault.Note(p)
			if !ok || !n.Ordinary() || seen[p] || s.Vault.Ignored(p) || p == s.query.Hide ||
				s.query.Skip != "" && p.In(s.query.Skip) || len(titles) == maxNearTitles {
				continue
			}
			seen[p] = true
			titles = append(titles, n.Title+" ("+string(p)+")")
		}
	}
	return titles
}
