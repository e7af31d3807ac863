package wire

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"

	"ibid/chains"
)

// Field is a part of a request that some servers refuse.
type Field string

// The fields that a request can do without, or can express in another way.
const (
	SystemField      Field = "system role"
	UsageField       Field = "stream_options"
	MaxTokensField   Field = "max_tokens"  // or max_completion_tokens, whichever is sent first
	TemperatureField Field = "temperature" // and the other sampling parameters
	ImagesField      Field = "images"
	StreamField      Field = "streaming"
	MarksField       Field = "cache marks"
	CacheKeyField    Field = "cache key"
	EffortField      Field = "effort"
	StopField        Field = "stop"
	ReasoningField   Field = "its own reasoning" // reasoning that is sent back with the calls
	SummaryField     Field = "summaries of thoughts"
	BudgetField      Field = "a budget for thinking" // Claude's older form
	AdaptiveField    Field = "adaptive thinking"     // Claude's newer form
)

// FieldsOf lists the fields of r that the server may refuse: those that every protocol has, and more.
func (c *Client) FieldsOf(r chains.Request, more map[Field]bool) []Field {
	extra := c.opts.Extra
	has := map[Field]bool{
		ImagesField: r.HasImages(), StopField: len(r.Stop) > 0,
		TemperatureField: slices.ContainsFunc(samplingFields, func(name string) bool { return extra[name] != nil }),
		EffortField:      r.Effort != "" || extra["reasoning_effort"] != nil,
	}
	maps.Copy(has, more)
	maps.DeleteFunc(has, func(_ Field, is bool) bool { return !is })
	return slices.Collect(maps.Keys(has))
}

// samplingFields are the fields that control sampling.
var samplingFields = []string{"temperature", "top_p", "top_k"}

// DropSampling removes the sampling fields, because models that reason do not take them at some vendors.
func (c *Client) DropSampling(extra map[string]any) {
	for _, name := range samplingFields {
		delete(extra, name)
	}
}

// Refusals remembers which fields a server has refused for a model.
type Refusals interface {
	Refused(model string, f Field) bool
	Refuse(model string, f Field)
}

// OmittedFields lists the fields that a request is sent without.
type OmittedFields []Field

// Has reports whether the request is sent without f.
func (l OmittedFields) Has(f Field) bool { return slices.Contains(l, f) }

// fieldNames match the names of fields in error messages. If sure is set, servers name the field only to refuse it.
var fieldNames = []struct {
	field Field
	words func() *regexp.Regexp
	sure  bool
}{
	{UsageField, Pattern(`stream_options|include_usage`), true},
	{MarksField, Pattern(`cache_control|prompt_cache_breakpoint`), true},
	{CacheKeyField, Pattern(`prompt_cache_key|session_id`), true},
	{TemperatureField, Pattern(`temperature|\btop_[pk]\b`), false},
	{ReasoningField, Pattern(`reasoning_content|reasoning_details|messages.{0,40}\breasoning\b`), false},
	{SummaryField, Pattern(`reasoning[._ ]summar|generate reasoning summar|'summary'`), false},
	{BudgetField, Pattern(`thinking\.type\.enabled|["']enabled["'] (?:is )?not`), false},
	{AdaptiveField, Pattern(`adaptive`), false},
	{
		EffortField,
		Pattern(`reasoning_effort|reasoning[._ ]effort|enable_thinking|budget_tokens|\bthinking\b|\breasoning\b`),
		false,
	},
	{MaxTokensField, Pattern(`max_?tokens|max_?completion_?tokens`), false},
	{ImagesField, Pattern(`\bimages?\b|image[_ ](?:url|input)|\bvision\b|multi-?modal`), false},
	{
		SystemField,
		Pattern(
			`system[_ ](?:role|message|prompt|instruction)|['"\x60]system['"\x60]|role system|developer instruction|only user and assistant|roles must alternate`), false,
	},
	{StopField, Pattern(`\bstop(?:_sequences)?\b`), false},
	{StreamField, Pattern(`\bstream(?:ing)?\b`), false},
}

// refusalWords match the phrases with which servers refuse a field.
var refusalWords = Pattern(
	`unsupported|(?:not|isn't|aren't) (?:currently )?(?:supported|permitted|allowed|available|enabled)|unrecognized|unknown|unexpected|` +
		`do(?:es)?(?:n't| not) (?:currently )?(?:support|accept|allow|take|have)|extra (?:inputs|fields)|invalid (?:parameter|field|argument|key|name|content type)|` +
		`no such (?:parameter|field)|use '?max_|must be verified|only (?:the )?default|deprecated|cannot be used|no endpoints found that|at most 0|must alternate|only (?:supported|be |\S+ is allowed)|only [a-z ]{1,40} supported|cannot (?:both )?be (?:specified|disabled)|not (?:implemented|a multi-?modal)`)

// namesField reports whether f names a field that servers name only to refuse it.
func namesField(f failure) bool {
	said := f.words()
	for _, n := range fieldNames {
		if n.sure && n.words().MatchString(said) {
			return true
		}
	}
	return false
}

// refusedField returns the first of has that the server refuses in e.
func refusedField(e *chains.ProviderError, has []Field) (Field, bool) {
	switch e.Status {
	case 0, 400, 404, 415, 422, 500, 501:
	default:
		return "", false
	}
	if e.Kind != chains.ErrConfig && e.Kind != chains.ErrServer || e.Code == chains.NoTools {
		return "", false
	}
	said := Words(e)
	for _, n := range fieldNames {
		if slices.Contains(has, n.field) && n.words().MatchString(said) &&
			(n.sure || refusalWords().MatchString(said)) {
			return n.field, true
		}
	}
	return "", false
}

// Without runs attempts of a request that has these fields. It leaves out what the server is known to refuse for
// the model. If the server refuses another field now, it tries once more without that field, and remembers it if
// the result is different.
func (c *Client) Without(ctx context.Context, out *OutgoingRequest, has []Field, try attempt) error {
	out.Left = nil
	for _, f := range has {
		if c.Refuses(out.Model, f) {
			out.Left = append(out.Left, f)
		}
	}
	var tried Field // field that the last attempt left out for the first time
	var before *chains.ProviderError
	for {
		err := try(ctx, out)
		failed := ErrorOf(err)
		if tried != "" {
			if !out.Shown && failed.Message == before.Message && err != nil {
				return err // the field was not the reason
			}
			if err == nil || failed.Kind != "" {
				c.Refuse(out.Model, tried)
			}
		}
		if out.Shown || failed.Kind == "" {
			return err
		}
		field, ok := refusedField(failed, slices.DeleteFunc(slices.Clone(has), out.Left.Has))
		if !ok {
			return err
		}
		tried, before = field, failed
		out.Left = append(out.Left, field)
		if said := omissionNotice(field); said != "" {
			out.Say(fmt.Sprintf("%s takes no %s for this model: %s.", c.name, field, said))
		}
	}
}

// omissionNotice says what leaving out a field means for the person, "" if nothing.
func omissionNotice(f Field) string {
	return map[Field]string{
		ImagesField: "sent without the images",
		StreamField: "the reply comes as a whole",
		EffortField: "it thinks as much as it likes",
	}[f]
}

// Refuses reports whether the server is known to refuse a field for a model.
func (c *Client) Refuses(model string, f Field) bool {
	if _, ok := c.refused.Load(model + "\x00" + string(f)); ok {
		return true
	}
	return c.opts.Refusals != nil && c.opts.Refusals.Refused(model, f)
}

// Refuse records that the server refuses a field for a model.
func (c *Client) Refuse(model string, f Field) {
	c.refused.Store(model+"\x00"+string(f), true)
	if c.opts.Refusals != nil {
		c.opts.Refusals.Refuse(model, f)
	}
}
