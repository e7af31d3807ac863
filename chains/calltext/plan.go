package calltext

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"ibid/vault/md"
)

// PlanningQuestion is a question for which a model is asked, in a separate request, what to look up before it
// answers.
type PlanningQuestion struct {
	Question string
	Attached []KnownItem // attached to the question
	Known    []KnownItem // known to the model from before; their texts are not sent
	Words    func(text string) []string
}

// KnownItem is an item that needs no lookup.
type KnownItem struct{ ID, Title, Text string }

// Limits of the request for a plan.
const (
	plannerChars  = 3900 // characters of the request
	plannerNotes  = 10   // attached items
	plannerKnown  = 30
	plannerBegins = 160 // characters from the beginning of each attached item
	plannerParts  = 2   // further passages of these, those with the most words of the question
	plannerPart   = 300 // characters of a passage
	plannerAsks   = 1500
)

// plannerText asks for a plan. The tools follow it, one a line.
const plannerText = `You decide what has to be looked up in a person's vault of notes before a question about it can be answered. You do not answer it. Reply with a JSON array of at most four calls and nothing else, such as:

[{"tool":"localSearch","args":{"query":"barn roof"}}]

Reply with [] if nothing has to be looked up: for a general question, a greeting, or one that what is attached or known answers. The tools, with "*" at arguments that are needed:`

// Messages returns the system message, which depends only on the tools, and the user message.
func (p *PlanningQuestion) Messages(tools []Tool) (system, user string) {
	var b strings.Builder
	b.WriteString(plannerText + "\n")
	for _, t := range tools {
		about, _, _ := strings.Cut(t.Description, ". ")
		b.WriteString("\n- " + t.Name + "(" + strings.Join(argumentNames(t.Schema), ", ") + "): " +
			strings.TrimSuffix(about, ".") + ".")
	}
	system = b.String()
	return system, p.user(plannerChars - utf8.RuneCountInString(system))
}

// argumentNames returns the arguments of a tool, the required ones with a "*".
func argumentNames(schema string) (all []string) {
	for _, line := range parameters(schema) {
		name, _, _ := strings.Cut(strings.TrimPrefix(line, "- "), " ")
		all = append(all, name)
	}
	return all
}

// user returns the user message, in at most room characters.
func (p *PlanningQuestion) user(room int) string {
	var attached, known []string
	for _, a := range p.Attached[:min(len(p.Attached), plannerNotes)] {
		attached = append(attached,
			strings.TrimSuffix(formatItem(a)+": "+md.Clip(md.OneLine(a.Text), plannerBegins), ": "))
	}
	for _, k := range p.Known[:min(len(p.Known), plannerKnown)] {
		known = append(known, formatItem(k))
	}
	text := "Question: " + md.Clip(p.Question, plannerAsks)
	for _, part := range []struct {
		head  string
		lines []string
	}{{"Attached:", attached}, {"From what is attached:", p.parts()}, {"Known:", known}} {
		if len(part.lines) > 0 {
			text += "\n\n" + part.head + "\n- " + strings.Join(part.lines, "\n- ")
		}
	}
	return md.Clip(text, room)
}

func formatItem(k KnownItem) string {
	return strings.TrimSuffix(md.OneLine(k.ID+" ("+k.Title+")"), " ()")
}

// parts returns the passages of attached items that contain the most words of the question.
func (p *PlanningQuestion) parts() (lines []string) {
	about := p.Words(p.Question)
	type passage struct {
		line  string
		score int
	}
	var all []passage
	for _, a := range p.Attached[:min(len(p.Attached), plannerNotes)] {
		if utf8.RuneCountInString(md.OneLine(a.Text)) <= plannerBegins {
			continue // shown in full
		}
		for text := range strings.SplitSeq(a.Text, "\n\n") {
			lower, score := strings.ToLower(text), 0
			for _, w := range about {
				if strings.Contains(lower, strings.ToLower(w)) {
					score++
				}
			}
			if score > 0 {
				all = append(all, passage{md.OneLine(a.ID) + ": " + md.Clip(md.OneLine(text), plannerPart), score})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b passage) int { return b.score - a.score })
	for _, s := range all[:min(len(all), plannerParts)] {
		lines = append(lines, s.line)
	}
	return lines
}

// maxPlanned limits the calls of a plan that are run.
const maxPlanned = 4

// planStart matches the beginning of a list of objects, or an empty one.
var planStart = regexp.MustCompile(`\[\s*[{\]]`)

// Plan parses the answer of a planner: the first list of objects in it, of calls of tools with these names. If
// anything in the list is something else, ok is false.
func Plan(reply string, tools []string) (calls []Call, ok bool) {
	at := planStart.FindStringIndex(reply)
	if at == nil {
		return nil, false
	}
	n := newNames(tools, false)
	elements, ok := mended(reply[at[0]:]).([]any)
	for _, e := range elements {
		all := fromValue("", e)
		if len(all) != 1 || !n.has(all[0].Name) || !strings.HasPrefix(all[0].Arguments, "{") {
			return nil, false
		}
		calls = append(calls, all...)
	}
	return calls[:min(len(calls), maxPlanned)], ok
}
