package chains

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"ibid/chains/calltext"
	"ibid/chains/toolcall"
	"ibid/context/prompt"
)

// Limits of the request for a plan.
const (
	plannerTokens = 300
	plannerTime   = 10 * time.Second
)

// planLookups asks the model what to look up before the turn's request, in a request of its own that is not saved,
// and runs those calls. It asks nothing if all that is needed is attached. If planning fails, the turn goes on
// without the lookups.
func planLookups(ctx context.Context, t *Turn) error {
	list := t.s.callableTools()
	switch {
	case list == nil || t.p.err != nil:
		return nil
	case t.p.nothingToLookUp():
		t.emit(Planned{Skipped: "attached"})
		return nil
	}
	readers := slices.DeleteFunc(slices.Clone(list.specs), func(spec ToolSpec) bool { return spec.Writes })
	reply, err := t.askForPlan(ctx, readers)
	var jobs []*job
	if err == nil {
		jobs, err = parsePlan(reply, list, readers)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	t.s.opts.Log.DebugContext(ctx, "planner", "bytes", len(reply), "calls", len(jobs), "err", err)
	if err != nil {
		t.notice("planner", "planner: "+err.Error())
		return nil
	}
	plan := Planned{}
	for _, j := range jobs {
		plan.Calls = append(plan.Calls, j.call)
	}
	t.emit(plan)
	return t.runPlan(t.p.caller().In(ctx), jobs)
}

// errPlan is returned for an answer that is no plan.
var errPlan = errors.New("not understood")

// askForPlan sends the request for a plan with these tools and returns the answer.
func (t *Turn) askForPlan(ctx context.Context, tools []ToolSpec) (string, error) {
	s := t.s
	known := t.p.conv.Known()
	q := calltext.PlanningQuestion{Question: t.p.in.Text, Words: s.opts.Tools.Words}
	for _, it := range t.p.engine.Attached {
		a := calltext.KnownItem{ID: it.ID, Title: it.Title}
		if !slices.ContainsFunc(known, func(k prompt.Item) bool { return k.Ref == it.Ref }) {
			a.Text = it.Content
		}
		q.Attached = append(q.Attached, a)
	}
	for _, it := range known {
		q.Known = append(q.Known, calltext.KnownItem{ID: it.ID, Title: it.Title})
	}
	system, user := q.Messages(toolDescriptions(tools))
	inner, cancel := context.WithTimeout(ctx, plannerTime)
	defer cancel()
	reply, usage, err := wholeReply(inner, s.opts.Model, Request{
		Model: s.opts.ModelName, MaxTokens: sideRequestTokens(s, s.opts.ModelName, plannerTokens),
		CacheKey: fmt.Sprintf("ibid-%d-plan", s.chat.Epoch), Question: t.p.in.Text,
		Messages: []prompt.Message{{Role: prompt.System, Content: system}, {Role: prompt.User, Content: user}},
	}, func(n Notice) { t.emit(n) })
	spendSideRequest(s, s.opts.ModelName, usage)
	if err != nil && inner.Err() != nil && ctx.Err() == nil {
		err = fmt.Errorf("no answer within %s", plannerTime)
	}
	return reply, err
}

// toolDescriptions returns the list of tools in the form for prompts.
func toolDescriptions(specs []ToolSpec) (tools []calltext.Tool) {
	for _, s := range specs {
		tools = append(tools, calltext.Tool{Name: s.Name, Description: s.Description, Schema: s.Schema})
	}
	return tools
}

// parsePlan returns the calls of a plan. One invalid call makes the whole plan invalid.
func parsePlan(reply string, list *toolList, tools []ToolSpec) (jobs []*job, err error) {
	var names []string
	for _, s := range tools {
		names = append(names, s.Name)
	}
	calls, ok := calltext.Plan(reply, names)
	if !ok {
		return nil, errPlan
	}
	for _, c := range calls {
		tool := list.tools[calltext.FoldName(c.Name)]
		args, _, err := toolcall.Arguments(tool.Spec().Schema, c.Arguments)
		if err != nil {
			return nil, errPlan
		}
		j := newJob(tool, args)
		if !slices.ContainsFunc(jobs, func(o *job) bool { return o.call == j.call }) {
			jobs = append(jobs, j)
		}
	}
	return jobs, nil
}

// runPlan runs the calls of a plan in parallel and adds their results in front of the question. It asks for
// permissions first.
func (t *Turn) runPlan(ctx context.Context, jobs []*job) error {
	limits := t.s.opts.limits()
	var running sync.WaitGroup
	for _, j := range jobs {
		ok, err := t.allowed(ctx, j)
		if err != nil {
			running.Wait()
			return err
		}
		if ok {
			running.Go(func() { j.run(ctx, limits.Tool) })
		}
	}
	running.Wait()
	for _, j := range jobs {
		t.p.addResult(j)
	}
	return ctx.Err()
}
