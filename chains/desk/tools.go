package desk

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"ibid/chains"
)

// tools lists the tools, or switches one of them on or off.
func tools(ctx context.Context, c *Place, arg string) (Result, error) {
	o := c.session.Options()
	words := strings.Fields(arg)
	if len(words) == 0 {
		return Result{Text: listTools(o, c.session.Snapshot().Chain)}, nil
	}
	how := strings.ToLower(words[0])
	if len(words) != 2 || how != "on" && how != "off" {
		return Result{}, fmt.Errorf("/tools takes on NAME or off NAME; alone, it lists the tools")
	}
	i := slices.IndexFunc(o.Tools.List, func(t chains.Tool) bool { return strings.EqualFold(t.Spec().Name, words[1]) })
	if i < 0 {
		return Result{}, fmt.Errorf("there is no tool %q; /tools lists them", words[1])
	}
	name := o.Tools.List[i].Spec().Name
	off := slices.DeleteFunc(append([]string{}, o.Tools.Off...), func(n string) bool { return n == name })
	if how == "off" {
		off = append(off, name)
	}
	if len(off) == len(o.Tools.Off) {
		return Result{Text: name + " is " + how + " already"}, nil
	}
	slices.Sort(off)
	return c.change(ctx, chains.Change{Off: off}, name+" is "+how)
}

// listTools lists each tool with its description, or why the model may not call it.
func listTools(o chains.Options, chain string) string {
	var b strings.Builder
	for _, t := range o.Tools.List {
		spec := t.Spec()
		what, _, _ := strings.Cut(spec.Description, ". ")
		why := o.Withheld(spec)
		if why != "" {
			what = "not offered: " + why
		}
		fmt.Fprintf(&b, "%s %-21s %s\n", markOf(why == ""), spec.Name, strings.TrimSuffix(what, "."))
	}
	for _, a := range o.Tools.Absent {
		fmt.Fprintf(&b, "  %-21s not there: %s\n", a.Name, a.Why)
	}
	text := cmp.Or(b.String(), "there are no tools here\n")
	switch {
	case len(o.Tools.List) > 0 && (chain == chains.Chat{}.Name() || chain == chains.Vault{}.Name()):
		text += "the chain " + chain + " calls none of them; /chain agent does\n"
	case o.Tools.Read == chains.ReadAsk:
		text += "you are asked before the model reads notes that you did not attach\n"
	}
	return text + "/tools off NAME takes one away from this chat, /tools on NAME gives it back"
}
