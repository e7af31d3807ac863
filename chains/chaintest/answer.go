package chaintest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"ibid/chains"
	"ibid/context/prompt"
)

// Answer is what a Server says to one request for a completion. The zero value
// is an echo of the request.
type Answer struct {
	Text      string
	Reasoning string // in reasoning_content, before the text
	ToolCalls []prompt.ToolCall
	Finish    string        // finish_reason; "" is "stop", or "tool_calls" with calls
	Usage     *chains.Usage // "" reports what the server counted
	Chunk     int           // characters per chunk of text, reasoning and arguments, 0 is 12
	Delay     time.Duration // before every chunk, and before a reply in one piece

	// What goes wrong.
	Status     int         // HTTP status, 0 is 200; from 400 on Body is the reply
	Header     http.Header // added to the reply's
	Body       string      // the whole body as it is, "" if the fields above make it
	Whole      bool        // one JSON object, though a stream was asked for
	ErrorFrame string      // an error object that ends the stream after its text, in place of a regular end
	NoFinish   bool        // no finish_reason
	NoUsage    bool        // no usage, though it was asked for
	NoDone     bool        // no [DONE]
	Split      int         // the bytes of the body are cut and flushed in pieces of this size, 0: by chunks
	CutAfter   int         // the connection breaks after this many bytes of body, 0: never
}

// Refused is what a server says to a wrong key.
func Refused() Answer {
	return failure(http.StatusUnauthorized, "invalid_request_error", "invalid_api_key", "Incorrect API key provided. Check it in your account.")
}

// NoModel is what a server says when it does not have a model.
func NoModel(model string) Answer {
	return failure(http.StatusNotFound, "invalid_request_error", "model_not_found", fmt.Sprintf("The model `%s` does not exist or you do not have access to it.", model))
}

// TooLong is what a server with a window of that many tokens says to a prompt of so many.
func TooLong(window, tokens int) Answer {
	return failure(http.StatusBadRequest, "invalid_request_error", "context_length_exceeded",
		fmt.Sprintf("This model's maximum context length is %d tokens. However, your messages resulted in %d tokens. Please reduce the length of the messages.", window, tokens))
}

// RateLimited is what a server says to too many requests; after is rounded to
// seconds, and 0 says nothing about when to come back.
func RateLimited(after time.Duration) Answer {
	a := failure(http.StatusTooManyRequests, "requests", "rate_limit_exceeded", "Rate limit reached for requests.")
	if after > 0 {
		a.Header.Set("Retry-After", strconv.Itoa(int(after.Round(time.Second)/time.Second)))
	}
	return a
}

// Down is what a server says when it is out of order: 500, 503…
func Down(status int) Answer {
	return failure(status, "server_error", "", "The server had an error while processing your request.")
}

// SignIn is the page of a network that wants a person to sign in, sent with status 200.
func SignIn() Answer {
	return Answer{
		Header: http.Header{"Content-Type": {"text/html; charset=utf-8"}},
		Body:   "<!DOCTYPE html>\n<html><head><title>Sign in</title></head><body><h1>Please sign in to the guest network</h1></body></html>\n",
	}
}

// Replay is a reply that was recorded: the body of an event stream, or of an
// error (a file that ends in .json), byte for byte. The status of an error is
// the first number in the file's name, else 400.
func Replay(path string) (Answer, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return Answer{}, fmt.Errorf("replay a recorded reply: %w", err)
	}
	if !strings.HasSuffix(path, ".json") {
		return Answer{Body: string(data), Header: http.Header{"Content-Type": {"text/event-stream"}}}, nil
	}
	status := http.StatusBadRequest
	for part := range strings.SplitSeq(strings.TrimSuffix(path[strings.LastIndexAny(path, `/\`)+1:], ".json"), "-") {
		if n, err := strconv.Atoi(part); err == nil && n >= 400 && n < 600 {
			status = n
			break
		}
	}
	return Answer{Status: status, Body: string(data)}, nil
}

// failure is an error as OpenAI words it.
func failure(status int, kind, code, message string) Answer {
	e := map[string]any{"message": message, "type": kind, "param": nil, "code": nil}
	if code != "" {
		e["code"] = code
	}
	body, _ := json.Marshal(map[string]any{"error": e}) // strings and nil always marshal
	return Answer{Status: status, Header: http.Header{}, Body: string(body)}
}

// isZero says that nothing is scripted, so that the answer is an echo.
func (a *Answer) isZero() bool {
	return a.Text == "" && a.Reasoning == "" && len(a.ToolCalls) == 0 && a.Body == "" && a.Status == 0
}

// contentType is what the reply's header says unless Header does.
func (a *Answer) contentType(stream bool) string {
	body := strings.TrimSpace(a.Body)
	switch {
	case strings.HasPrefix(body, "data:"), strings.HasPrefix(body, ":"), strings.HasPrefix(body, "event:"):
		return "text/event-stream"
	case strings.HasPrefix(body, "<"):
		return "text/html; charset=utf-8"
	case body != "", !stream, a.Whole:
		return "application/json"
	}
	return "text/event-stream"
}
