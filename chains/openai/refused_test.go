package openai_test

import (
	"strings"
	"testing"

	"ibid/chains"
	"ibid/chains/openai"
	"ibid/chains/wire"
	"ibid/context/prompt"
)

// refusals stores the names of refused parts.
type refusals map[string]bool

func (r refusals) Refused(model string, f wire.Field) bool { return r[model+" "+string(f)] }
func (r refusals) Refuse(model string, f wire.Field)       { r[model+" "+string(f)] = true }

// TestFieldRefused: a request of which a server refuses a field is sent once more
// without it, and from then on without it at once, by other clients too.
func TestFieldRefused(t *testing.T) {
	rows := []struct {
		field  wire.Field
		status int
		said   string
		has    string // in the first request, and not in those after it
		then   string // in those
		notice string
	}{
		{
			wire.UsageField, 400, `{"error":{"message":"Unrecognized request argument supplied: stream_options"}}`,
			`"stream_options"`, `"stream":true`, "",
		},
		{wire.SystemField, 400, `[{"error":{"code":400,"message":"Developer instruction is not enabled for models/gemma-3-27b-it","status":"INVALID_ARGUMENT"}}]`, `"role":"system"`, `be brief`, ""},
		{
			wire.SystemField, 500, `{"error":{"message":"System role not supported","type":"server_error"}}`,
			`"role":"system"`, `be brief`, "",
		},
		{
			wire.SystemField, 400,
			`{"object":"error","message":"Conversation roles must alternate user/assistant/user/assistant/...","code":400}`, `"role":"system"`, `be brief`, "",
		},
		{wire.MaxTokensField, 400, `{"error":{"message":"Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.","code":"unsupported_parameter"}}`, `"max_tokens":50`, `"max_completion_tokens":50`, ""},
		{wire.TemperatureField, 400, `{"error":{"message":"Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported.","code":"unsupported_value"}}`, `"temperature":0.2`, `"stream":true`, ""},
		{
			wire.TemperatureField, 400,
			`{"error":{"message":"Unsupported parameter: 'top_p' is not supported with this model.","param":"top_p"}}`, `"temperature":0.2`, `"stream":true`, "",
		},
		{
			wire.ImagesField, 404, `{"error":{"message":"No endpoints found that support image input","code":404}}`,
			`"image_url"`, `"what is that?"`, "somewhere takes no images for this model: sent without the images.",
		},
		{
			wire.ImagesField, 400,
			`{"error":{"message":"Failed to deserialize: messages[1]: unknown variant 'image_url', expected 'text'"}}`, `"image_url"`, `what is that?`, "somewhere takes no images for this model: sent without the images.",
		},
		{wire.ImagesField, 500, `{"error":{"code":500,"message":"image input is not supported - hint: if this is unexpected, you may need to provide the mmproj"}}`, `"image_url"`, `what is that?`, "somewhere takes no images for this model: sent without the images."},
		{wire.StreamField, 400, `{"error":{"message":"Your organization must be verified to stream this model.","param":"stream","code":"unsupported_value"}}`, `"stream":true`, `"messages"`, "somewhere takes no streaming for this model: the reply comes as a whole."},
		{
			wire.MarksField, 400,
			`{"error":{"message":"messages.0.content.0.cache_control: Extra inputs are not permitted"}}`,
			`"cache_control"`, `be brief`, "",
		},
		{wire.EffortField, 422, `{"detail":[{"type":"extra_forbidden","loc":["body","reasoning_effort"],"msg":"Extra inputs are not permitted"}]}`, `"reasoning_effort":"low"`, `be brief`, "somewhere takes no effort for this model: it thinks as much as it likes."},
	}
	for _, row := range rows {
		t.Run(string(row.field), func(t *testing.T) {
			srv := newServer(t, answer{status: row.status, body: row.said}, textAnswer("ok"), textAnswer("ok"), textAnswer("ok"))
			kept := refusals{}
			o := openai.Options{
				Options: wire.Options{
					BaseURL: srv.url, Name: "somewhere", Refusals: kept, Extra: map[string]any{"temperature": 0.2},
					Facts: markedBy(openai.MarkCacheControl),
				},
			}
			first, second := newClient(t, o), newClient(t, o)
			var notices []string
			for _, c := range []*openai.Client{first, first, second} {
				out := collect(t.Context(), c, refusable())
				if notices = append(notices, out.Notices...); out.Err != nil || out.Text != "ok" {
					t.Fatalf("%+v", out)
				}
			}
			for i, r := range srv.got() {
				if has := strings.Contains(r.body, row.has); has != (i == 0) || i > 0 && !strings.Contains(r.body, row.then) {
					t.Errorf("request %d: %s", i+1, r.body)
				}
			}
			if len(kept) != 1 || !kept["test-model "+string(row.field)] || strings.Join(notices, "\n") != row.notice {
				t.Errorf("kept %v, notices %q", kept, notices)
			}
		})
	}
}

// refusable returns a request with every part that servers may refuse.
func refusable() chains.Request {
	return chains.Request{Model: "test-model", MaxTokens: 50, Effort: "low", Messages: []prompt.Message{
		{Role: prompt.System, Content: "be brief", Parts: []prompt.Part{{End: 8, Mark: true}}},
		{Role: prompt.User, Content: "what is that?", Images: []prompt.Image{{MIME: "image/png", Data: []byte("png")}}},
	}}
}

// TestNotRefused: what only sounds like a refusal is sent once more at most, and
// nothing is kept of it.
func TestNotRefused(t *testing.T) {
	for said, requests := range map[string]int{
		`{"error":{"message":"Invalid parameter: temperature must be at most 2"}}`:                         2,
		`{"error":{"message":"max_tokens is too large: 50. This model supports at most 40 tokens."}}`:      1,
		`{"error":{"message":"messages: too many"}}`:                                                       1,
		`{"error":{"message":"The image is larger than 20 MB."}}`:                                          1,
		`{"error":{"message":"Your message is against our rules: ask about something else, not images."}}`: 1,
	} {
		srv := newServer(t, answer{status: 400, body: said}, answer{status: 400, body: said}, textAnswer("ok"))
		kept := refusals{}
		o := openai.Options{Options: wire.Options{
			BaseURL: srv.url, Refusals: kept, Extra: map[string]any{"temperature": 0.2},
			Facts: markedBy(openai.MarkCacheControl),
		}}
		e := providerError(t, collect(t.Context(), newClient(t, o), refusable()).Err)
		if n := len(srv.got()); n != requests || len(kept) > 0 || e.Kind != chains.ErrConfig {
			t.Errorf("%s: %d requests, kept %v, %q", said, n, kept, e.Kind)
		}
	}
}

// TestSystemAsUser: the rules stand in front of the first message, as one text.
func TestSystemAsUser(t *testing.T) {
	o := openai.Options{Options: wire.Options{Refusals: refusals{"test-model system role": true}}}
	got := send(t, o,
		chains.Request{
			Model:    "test-model",
			Messages: []prompt.Message{{Role: prompt.System, Content: "be brief"}, {Role: prompt.User, Content: "hi"}},
		})
	if want := `"messages":[{"role":"user","content":"be brief\n\nhi"}]`; !strings.Contains(got.body, want) {
		t.Errorf("%s", got.body)
	}
}
