package wire_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"ibid/chains/wire"
)

// everyField is a request with all that may be refused.
var everyField = []wire.Field{
	wire.SystemField, wire.UsageField, wire.MaxTokensField, wire.TemperatureField, wire.ImagesField,
	wire.StreamField, wire.MarksField, wire.CacheKeyField, wire.EffortField,
}

// TestWordsOfRefusals: how servers say that they do not take a field, and what they
// say that sounds like it. A request is sent without the fields, one after the other.
func TestWordsOfRefusals(t *testing.T) {
	rows := []struct {
		status int
		body   string
		left   string // the fields that are left out of the second request
	}{
		{400, `{"detail":"stream_options is not a valid field"}`, "[stream_options]"},
		{422, `{"detail":[{"type":"extra_forbidden","loc":["body","stream_options"],"msg":"Extra inputs are not permitted","input":{"include_usage":true}}]}`, "[stream_options]"},
		{422, `{"object":"error","message":"[{'type': 'extra_forbidden', 'loc': ('body', 'prompt_cache_key'), 'msg': 'Extra inputs are not permitted'}]","type":"invalid_request_error","code":422}`, "[cache key]"},
		{400, "Unknown field: stream_options", "[stream_options]"},
		{
			500,
			"<html><body><h1>Internal error</h1><p>unexpected keyword argument 'stream_options'</p></body></html>",
			"[stream_options]",
		},
		{400, `{"message":{"error":"unknown parameter: session_id"}}`, "[cache key]"},
		{400, `{"errors":[{"message":"cache_control: Extra inputs are not permitted"}]}`, "[cache marks]"},
		{400, `{"type":"error","error":{"type":"invalid_request_error","message":"system.0.cache_control.ttl: Extra inputs are not permitted"}}`, "[cache marks]"},
		{400, `{"type":"error","error":{"type":"invalid_request_error","message":"tools.0.cache_control: cache_control is not supported for this model"}}`, "[cache marks]"},
		{
			400,
			`{"type":"error","error":{"type":"invalid_request_error","message":"thinking: Extra inputs are not permitted"}}`, "[effort]",
		},
		{400, `{"type":"error","error":{"type":"invalid_request_error","message":"claude-3-5-haiku does not support thinking"}}`, "[effort]"},
		{400, `{"error":{"message":"Unrecognized request argument supplied: reasoning_effort"}}`, "[effort]"},
		{400, `{"error":{"message":"Unsupported value: 'reasoning_effort' does not support 'none' with this model. Supported values are: 'low', 'medium', and 'high'.","param":"reasoning_effort"}}`, "[effort]"},
		{
			400, `{"error":{"message":"Reasoning is mandatory for this endpoint and cannot be disabled.","code":400}}`,
			"[effort]",
		},
		{400, `{"error":"model \"llama3\" does not support thinking"}`, "[effort]"},
		{404, `{"error":{"message":"No endpoints found that support image input","code":404}}`, "[images]"},
		{400, `{"error":{"message":"Invalid content type. image_url is only supported by certain models.","param":"messages.[0].content.[1].type"}}`, "[images]"},
		{500, `{"error":{"code":500,"message":"image input is not supported - hint: if this is unexpected, you may need to provide the mmproj","type":"server_error"}}`, "[images]"},
		{400, `{"object":"error","message":"At most 0 image(s) may be provided in one request.","type":"BadRequestError","code":400}`, "[images]"},
		{400, `{"error":{"message":"This model does not support vision","type":"invalid_request_error"}}`, "[images]"},
		{422, `{"detail":[{"loc":["body","messages",1,"content"],"msg":"str type expected","type":"type_error.str"}]}`, "[]"},
		{400, `{"error":{"message":"This is not a multimodal model","type":"BadRequestError"}}`, "[images]"},
		{400, `{"error":{"message":"'messages.0' : role 'system' is not supported by this model"}}`, "[system role]"},
		{
			400,
			`{"error":{"message":"Unsupported value: 'messages[0].role' does not support 'system' with this model."}}`, "[system role]",
		},
		{
			400, `{"error":{"message":"Only user and assistant roles are supported!","type":"BadRequestError"}}`,
			"[system role]",
		},
		{400, `{"error":{"message":"System messages are not supported"}}`, "[system role]"},
		{400, `{"error":{"message":"temperature is deprecated for this model"}}`, "[temperature]"},
		{400, `{"message":"The model returned the following errors: temperature and top_p cannot both be specified for this model."}`, "[temperature]"},
		{400, `{"error":{"message":"Unsupported parameter: 'temperature' is not supported with this model.","param":"temperature","code":"unsupported_parameter"}}`, "[temperature]"},
		{400, `{"type":"error","error":{"type":"invalid_request_error","message":"temperature may only be set to 1 when thinking is enabled."}}`, "[temperature]"},
		{
			400,
			`{"error":{"message":"invalid temperature: only 1 is allowed for this model","type":"invalid_request_error"}}`, "[temperature]",
		},
		{400, `{"error":{"message":"Your organization must be verified to stream this model.","param":"stream","code":"unsupported_value"}}`, "[streaming]"},
		{400, `{"message":"The model is unsupported for streaming"}`, "[streaming]"},
		{501, `{"detail":"Streaming is not implemented"}`, "[streaming]"},
		{400, `{"error":{"message":"max_tokens: Extra inputs are not permitted"}}`, "[max_tokens]"},
		{400, `{"error":{"message":"Unknown parameter: 'max_completion_tokens'."}}`, "[max_tokens]"},
		{
			400, `{"error":{"message":"this model is not supported MaxTokens, please use MaxCompletionTokens"}}`,
			"[max_tokens]",
		},

		{400, `{"error":{"message":"Unknown parameter: 'logit_bias'."}}`, "[]"},
		{
			400,
			`{"error":{"message":"max_tokens is too large: 99999. This model supports at most 16384 completion tokens."}}`, "[]",
		},
		{400, `{"type":"error","error":{"type":"invalid_request_error","message":"messages.0.content.0.image.source.base64: image exceeds 5 MB maximum: 6291456 bytes > 5242880 bytes"}}`, "[]"},
		{400, `{"error":{"message":"Invalid image data: not a valid PNG"}}`, "[]"},
		{400, `{"error":{"message":"The system is not available in your region"}}`, "[]"},
		{401, `{"error":{"message":"stream_options needs a key"}}`, "[]"},
		{429, `{"error":{"message":"Rate limit for streaming requests: not allowed more than 5 a minute"}}`, "[]"},
		{503, `{"error":{"message":"streaming is not available right now, the model is overloaded"}}`, "[]"},
	}
	for _, row := range rows {
		c := newClient(t, wire.Options{BaseURL: "https://models.example/v1", Key: "key-for-tests"})
		var sent []string
		_ = c.Without(t.Context(), outgoing(), everyField, func(_ context.Context, out *wire.OutgoingRequest) error {
			if sent = append(sent, fmt.Sprint(out.Left)); len(sent) == 1 {
				return c.Refused(wire.ReadFailure(row.status, nil, []byte(row.body)), "m")
			}
			return nil
		})
		if got := slices.Concat(sent, []string{"[]"})[min(1, len(sent))]; got != row.left {
			t.Errorf("%d %s: left out %s, want %s", row.status, row.body, got, row.left)
		}
	}
}

// TestRefusedAgain: fields go one after the other, one that was not sent changes
// nothing, and no server makes it go on for ever.
func TestRefusedAgain(t *testing.T) {
	refuse := func(field string) string { return `{"error":{"message":"Unrecognized argument: ` + field + `"}}` }
	rows := []struct {
		has   []wire.Field
		said  func(n int, left wire.OmittedFields) string // "" lets it pass
		sent  int
		fails bool
	}{
		{everyField, func(_ int, left wire.OmittedFields) string {
			switch {
			case !left.Has(wire.UsageField):
				return refuse("stream_options")
			case !left.Has(wire.TemperatureField):
				return refuse("temperature")
			}
			return ""
		}, 3, false},
		{[]wire.Field{wire.StreamField}, func(int, wire.OmittedFields) string { return refuse("temperature") }, 1, true},
		{everyField, func(int, wire.OmittedFields) string { return refuse("stream_options") }, 2, true},
		{everyField, func(n int, _ wire.OmittedFields) string {
			return refuse([]string{"stream_options", "temperature"}[n%2])
		}, 3, true},
		{everyField, func(n int, _ wire.OmittedFields) string { return refuse(fmt.Sprint("stream_options ", n)) }, 2, true},
	}
	for i, row := range rows {
		c := newClient(t, wire.Options{BaseURL: "https://models.example/v1", Key: "key-for-tests"})
		n := 0
		err := c.Without(t.Context(), outgoing(), row.has, func(_ context.Context, out *wire.OutgoingRequest) error {
			if n++; n > 12 {
				t.Fatalf("row %d goes on for ever", i)
			}
			if said := row.said(n-1, out.Left); said != "" {
				return c.Refused(wire.ReadFailure(400, nil, []byte(said)), "m")
			}
			return nil
		})
		if n != row.sent || (err != nil) != row.fails {
			t.Errorf("row %d: sent %d times, want %d: %v", i, n, row.sent, err)
		}
	}
}
