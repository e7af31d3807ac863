package wire

import (
	"context"
	_ "embed"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

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

// refusableField is a field that some servers refuse.
type refusableField struct {
	field Field
	words func() *regexp.Regexp // its names in error messages
	sure  bool                  // servers name it only to refuse it
	said  string                // what leaving it out means for the person, "-" if nothing
}

// fieldsText is the table of these fields.
//
//go:embed fields.txt
var fieldsText string

// refusableFields returns the parsed fieldsText.
var refusableFields = sync.OnceValue(func() (all []refusableField) {
	for line := range strings.Lines(fieldsText) {
		if f := strings.Split(strings.TrimSuffix(line, "\n"), "\t"); len(f) == 4 {
			all = append(all, refusableField{Field(f[0]), Pattern(f[3]), f[1] == "sure", f[2]})
		}
	}
	return all
})

// refusalWords match the phrases with which servers refuse a field.
var refusalWords = Pattern(
	`unsupported|(?:not|isn't|aren't) (?:currently )?(?:supported|permitted|allowed|available|enabled)|unrecognized|unknown|unexpected|` +
		`do(?:es)?(?:n't| not) (?:currently )?(?:support|accept|allow|take|have)|extra (?:inputs|fields)|invalid (?:parameter|field|argument|key|name|content type)|` +
		`no such (?:parameter|field)|use '?max_|must be verified|only (?:the )?default|deprecated|cannot be used|no endpoints found that|at most 0|must alternate|only (?:supported|be |\S+ is allowed)|only [a-z ]{1,40} supported|cannot (?:both )?be (?:specified|disabled)|not (?:implemented|a multi-?modal)`)

// namesField reports whether f names a field that servers name only to refuse it.
func namesField(f failure) bool {
	said := f.words()
	for _, n := range refusableFields() {
		if n.sure && n.words().MatchString(said) {
			return true
		}
	}
	return false
}

// refusedField returns the first of has that the server refuses in e, a zero one if it refuses none.
func refusedField(e *chains.ProviderError, has []Field) (none refusableField) {
	switch e.Status {
	case 0, 400, 404, 415, 422, 500, 501:
	default:
		return none
	}
	if e.Kind != chains.ErrConfig && e.Kind != chains.ErrServer || e.Code == chains.NoTools {
		return none
	}
	said := Words(e)
	for _, n := range refusableFields() {
		if slices.Contains(has, n.field) && n.words().MatchString(said) &&
			(n.sure || refusalWords().MatchString(said)) {
			return n
		}
	}
	return none
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
		refused := refusedField(failed, slices.DeleteFunc(slices.Clone(has), out.Left.Has))
		if refused.field == "" {
			return err
		}
		tried, before = refused.field, failed
		out.Left = append(out.Left, tried)
		if refused.said != "-" {
			out.Say(fmt.Sprintf("%s takes no %s for this model: %s.", c.name, tried, refused.said))
		}
	}
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
