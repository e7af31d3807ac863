package chaintest

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"ibid/chains"
	"ibid/context/prompt"
)

// Answer is the answer of a Server to one request for a completion. The zero value is an echo
// of the request.
type Answer struct {
	Text      string
	Reasoning string // in reasoning_content, before the text
	ToolCalls []prompt.ToolCall
	Finish    string        // finish_reason; "" is "stop", or "tool_calls" with calls
	Usage     *chains.Usage // "" reports what the server counted
	Chunk     int           // characters per chunk of text, reasoning and arguments, 0 is 12
	Delay     time.Duration // before every chunk

	// Failures.
	Status     int         // HTTP status, 0 is 200; from 400 on Body is the reply
	Header     http.Header // added to the reply's
	Body       string      // the whole body as it is, "" if the fields above make it
	ErrorFrame string      // an error object that ends the stream after its text, in place of a regular end
	Split      int         // the bytes of the body are cut and flushed in pieces of this size, 0: by chunks
	CutAfter   int         // the connection breaks after this many bytes of body, 0: never
}

// RefuseKey is the answer to a wrong key.
func RefuseKey() Answer {
	return failure(http.StatusUnauthorized, "invalid_request_error", "invalid_api_key",
		"Incorrect API key provided. Check it in your account.")
}

// NoModel is the answer to a request for an unknown model.
func NoModel(model string) Answer {
	return failure(http.StatusNotFound, "invalid_request_error", "model_not_found",
		fmt.Sprintf("The model `%s` does not exist or you do not have access to it.", model))
}

// NoTools is the answer of a model that takes no tools.
func NoTools(model string) Answer {
	return failure(http.StatusBadRequest, "api_error", "",
		fmt.Sprintf("registry.ollama.ai/library/%s does not support tools", model))
}

// TooLong is the answer to a prompt that is longer than the window, with both numbers of
// tokens.
func TooLong(window, tokens int) Answer {
	return failure(http.StatusBadRequest, "invalid_request_error", "context_length_exceeded",
		fmt.Sprintf("This model's maximum context length is %d tokens. However, your messages resulted in %d tokens. Please reduce the length of the messages.",
			window, tokens))
}

// SignIn is the sign-in page of a network, sent with status 200.
func SignIn() Answer {
	return Answer{
		Header: http.Header{"Content-Type": {"text/html; charset=utf-8"}},
		Body:   "<!DOCTYPE html>\n<html><head><title>Sign in</title></head><body><h1>Please sign in to the guest network</h1></body></html>\n",
	}
}

// failure returns an error in OpenAI's form.
func failure(status int, kind, code, message string) Answer {
	e := object{"message": message, "type": kind, "param": nil, "code": nil}
	if code != "" {
		e["code"] = code
	}
	return Answer{Status: status, Body: string(encode(object{"error": e}))}
}

// isZero reports whether the answer is empty, which makes it an echo.
func (a *Answer) isZero() bool {
	return a.Text == "" && a.Reasoning == "" && len(a.ToolCalls) == 0 && a.Body == "" && a.Status == 0
}

// contentType returns the type for the header of the reply, unless Header has one; with "" the
// protocol decides.
func (a *Answer) contentType() string {
	body := strings.TrimSpace(a.Body)
	switch {
	case strings.HasPrefix(body, "data:"), strings.HasPrefix(body, ":"), strings.HasPrefix(body, "event:"):
		return "text/event-stream"
	case strings.HasPrefix(body, "<"):
		return "text/html; charset=utf-8"
	case body != "":
		return "application/json"
	}
	return ""
}
