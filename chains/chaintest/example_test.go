package chaintest_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"

	"ibid/chains"
	"ibid/chains/chaintest"
)

// A script stands in for a model: what it says, and what it was asked.
func ExampleScript() {
	model := chaintest.New(
		chaintest.Reply{Text: "Every morning.", Split: 6},
		chaintest.Reply{Text: "Once a", Err: &chains.ProviderError{Kind: chains.ErrCutOff, Message: "Reply cut off."}, ErrAfter: 1},
	)
	for _, question := range []string{"When do I water?", "And feed?"} {
		for d, err := range model.Stream(context.Background(), chains.Request{Question: question}) {
			if err != nil {
				fmt.Println("error:", err)
				break
			}
			fmt.Printf("[%s]%s\n", d.Text, d.Finish)
		}
	}
	fmt.Println(len(model.Requests()), "requests, the last:", model.Requests()[1].Question)
	// Output:
	// [Every ]
	// [mornin]
	// [g.]
	// []stop
	// [Once a]
	// error: Reply cut off.
	// 2 requests, the last: And feed?
}

// A server plays its answers, the unwell ones too, and echoes from then on.
func ExampleServer() {
	server := chaintest.Start(chaintest.Options{
		Answers: []chaintest.Answer{chaintest.NoModel("test-modle")},
	})
	defer server.Close()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	for range 2 {
		resp, err := client.Post(server.URL()+"/chat/completions", "application/json",
			strings.NewReader(`{"model":"test-model","stream":true,"messages":[{"role":"user","content":"Is it warm?"}]}`))
		if err != nil {
			fmt.Println(err)
			return
		}
		body, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		fmt.Println(resp.StatusCode, strings.Contains(string(body), "[DONE]"))
	}
	fmt.Println(len(server.Completions()), "requests")
	// Output:
	// 404 false
	// 200 true
	// 2 requests
}
