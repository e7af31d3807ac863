package tool

import (
	"context"
	"fmt"
	"strings"
	"time"
	_ "time/tzdata" // time zones on systems that have none

	"ibid/chains"
	"ibid/chains/calltext"
)

type timeArgs struct{ Timezone string }

func (o Options) currentTime(_ context.Context, a timeArgs) chains.ToolOutput {
	now := o.Now()
	if a.Timezone != "" {
		zone, err := time.LoadLocation(a.Timezone)
		if err != nil {
			return failedResult(fmt.Sprintf("timezone: there is no time zone %q", a.Timezone),
				"use an IANA name such as Europe/Berlin, or leave timezone out")
		}
		now = now.In(zone)
	}
	text := now.Format(time.RFC3339) + " " + now.Weekday().String()
	return chains.ToolOutput{Text: text, Note: text}
}

type rangeArgs struct{ Expression string }

func (o Options) timeRange(_ context.Context, a rangeArgs) chains.ToolOutput {
	r, wrong := o.parseDays("expression", a.Expression)
	start, end := formatRange(r)
	switch {
	case wrong != nil:
		return wrong.output()
	case start == "" && end == "":
		return failedResult("expression: it is empty", "expression is a time "+timeExamples)
	}
	text := calltext.JSON(struct {
		Start string `json:"start"`
		End   string `json:"end"`
		Range string `json:"range"`
		Label string `json:"label"`
	}{start, end, start + "/" + end, strings.Join(strings.Fields(a.Expression), " ")})
	return chains.ToolOutput{Text: text, Note: start + " to " + end}
}
