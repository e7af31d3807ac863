package openai_test

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	oai "github.com/sashabaranov/go-openai"

	"ibid/chains/openai"
	"ibid/chains/wire"
)

// longReply returns a stream of about 70 kB: 300 chunks of a few words.
func longReply() string {
	var b strings.Builder
	for range 300 {
		b.WriteString(`data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1790000000,"model":"test-model","system_fingerprint":"fp_1","choices":[{"index":0,"delta":{"content":" some words of it"},"logprobs":null,"finish_reason":null}]}` + "\n\n")
	}
	return b.String() + events(ends("stop"), counts(100, 0, 900)) + done
}

// BenchmarkStream is the whole way of a reply, without a network.
func BenchmarkStream(b *testing.B) {
	body := longReply()
	rt := transportFunc(func(*http.Request) (*http.Response, error) { return respond(200, body), nil })
	b.Run("tolerant", func(b *testing.B) {
		c, err := openai.New(openai.Options{Options: wire.Options{BaseURL: "http://localhost/v1", Transport: rt}})
		check(b, err)
		b.SetBytes(int64(len(body)))
		b.ReportAllocs()
		for b.Loop() {
			n := 0
			for d, err := range c.Stream(b.Context(), question("?")) {
				check(b, err)
				n += len(d.Text)
			}
			if n == 0 {
				b.Fatal("no text")
			}
		}
	})
	b.Run("plain Recv", func(b *testing.B) {
		cfg := oai.DefaultConfig("")
		cfg.BaseURL, cfg.HTTPClient = "http://localhost/v1", &http.Client{Transport: rt}
		c := oai.NewClientWithConfig(cfg)
		b.SetBytes(int64(len(body)))
		b.ReportAllocs()
		for b.Loop() {
			s, err := c.CreateChatCompletionStream(b.Context(), oai.ChatCompletionRequest{Model: "m"})
			check(b, err)
			for {
				if _, err := s.Recv(); errors.Is(err, io.EOF) {
					break
				} else if err != nil {
					b.Fatal(err)
				}
			}
			_ = s.Close()
		}
	})
}
