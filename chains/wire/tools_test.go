package wire

import (
	"testing"

	"ibid/chains"
)

// TestToolsRefused: what servers say that take no tools for a model, and what is
// like it and means something else.
func TestToolsRefused(t *testing.T) {
	client, err := New(Options{BaseURL: "http://localhost:9/v1"})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		server string
		status int
		body   string
		want   bool
	}{
		{"openai", 400, `{"error":{"message":"Unsupported parameter: 'tools' is not supported with this model.","type":"invalid_request_error","param":"tools","code":"unsupported_parameter"}}`, true},
		{
			"azure", 400,
			`{"error":{"message":"Unrecognized request argument supplied: tools","type":"invalid_request_error"}}`, true,
		},
		{"azure, older", 404, `{"error":{"message":"tools is not supported in this model. For a list of supported models, refer to the documentation.","code":null}}`, true},
		{
			"ollama", 400,
			`{"error":{"message":"registry.ollama.ai/library/gemma3:4b does not support tools","type":"api_error"}}`, true,
		},
		{"ollama, its own", 400, `{"error":"gemma3:4b does not support tools"}`, true},
		{"vllm", 400, `{"object":"error","message":"\"auto\" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set","type":"BadRequestError","code":400}`, true},
		{
			"llama.cpp", 500,
			`{"error":{"code":500,"message":"tools param requires --jinja flag","type":"server_error"}}`, true,
		},
		{
			"llama.cpp, older", 400,
			`{"error":{"code":400,"message":"Unsupported param: tools","type":"invalid_request_error"}}`, true,
		},
		{"lm studio", 400, `{"error":"The loaded model does not support tool use."}`, true},
		{"groq", 400, "{\"error\":{\"message\":\"`tool calling` is not supported with this model\",\"type\":\"invalid_request_error\"}}", true},
		{"openrouter", 404, `{"error":{"message":"No endpoints found that support tool use. To learn more about provider routing, see the documentation.","code":404}}`, true},
		{"mistral", 400, `{"object":"error","message":"Function calling is not enabled for this model","type":"invalid_request_error","code":"3000"}`, true},
		{
			"deepseek", 400,
			`{"error":{"message":"deepseek-reasoner does not support Function Calling","type":"invalid_request_error"}}`, true,
		},
		{"gemini", 400, `[{"error":{"code":400,"message":"Function calling is not enabled for models/gemma-3-27b-it","status":"INVALID_ARGUMENT"}}]`, true},
		{
			"together", 422,
			`{"error":{"message":"This model doesn't support function calling","type":"invalid_request_error"}}`, true,
		},
		{
			"fireworks", 400,
			`{"error":{"object":"error","message":"Tools are not supported for this model","code":"invalid_request_error"}}`, true,
		},
		{
			"xai", 400,
			`{"code":"Client specified an invalid argument","error":"Argument not supported on this model: tools"}`, true,
		},
		{
			"perplexity", 400,
			`{"error":{"message":"Tool calling is not supported for this model","type":"invalid_request"}}`, true,
		},
		{"bedrock", 400, `{"message":"This model doesn't support tool use in streaming mode."}`, true},
		{
			"fastapi", 422,
			`{"detail":[{"type":"extra_forbidden","loc":["body","tools"],"msg":"Extra inputs are not permitted"}]}`, true,
		},
		{"gateway", 400, `{"error":{"message":"Provider returned error","code":400,"metadata":{"raw":"{\"error\":{\"message\":\"model does not support tools\"}}"}}}`, true},

		{"no model", 404, `{"error":{"message":"The model does not exist","code":"model_not_found"}}`, false},
		{"no endpoint", 404, `{"error":{"message":"No endpoints found for acme/model.","code":404}}`, false},
		{
			"a message of a tool", 400,
			`{"error":{"message":"messages with role 'tool' must be a response to a preceding message with 'tool_calls'"}}`, false,
		},
		{
			"a schema", 400,
			`{"error":{"message":"Invalid schema for function 'localSearch': array schema missing items"}}`, false,
		},
		{
			"too long", 400,
			`{"error":{"message":"maximum context length is 8192 tokens, however you requested 9000 with tools"}}`, false,
		},
		{"a key", 401, `{"error":{"message":"this key does not support tools"}}`, false},
		{"busy", 503, `{"error":{"message":"tools are not available, try later"}}`, false},
	} {
		e := client.Refused(ReadFailure(tt.status, nil, []byte(tt.body)), "m")
		if got := e.Code == chains.NoTools; got != tt.want || got && (e.Retryable || e.Kind != chains.ErrConfig) {
			t.Errorf("%s: refused %v, %+v", tt.server, got, e)
		}
	}
}
