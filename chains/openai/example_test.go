package openai_test

import (
	"context"
	"errors"
	"fmt"
	"net/http/httptest"

	"ibid/chains"
	"ibid/chains/openai"
	"ibid/chains/wire"
	"ibid/context/prompt"
)

// A reply arrives in pieces; the last one says how it ended.
func ExampleClient_Stream() {
	srv := httptest.NewServer(&server{answers: []answer{textAnswer("Pass it down.")}})
	defer srv.Close()

	client, err := openai.New(openai.Options{Options: wire.Options{BaseURL: srv.URL + "/v1"}, Model: "test-model"})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer client.CloseIdle()
	request := chains.Request{Messages: []prompt.Message{{Role: prompt.User, Content: "What about ctx?"}}}
	for delta, err := range client.Stream(context.Background(), request) {
		if err != nil {
			fmt.Println(err) // one line that says what to do
			return
		}
		fmt.Print(delta.Text)
		if delta.Finish != "" {
			fmt.Printf(" [%s, %d tokens read]\n", delta.Finish, delta.Usage.Prompt)
		}
	}
	// Output: Pass it down. [stop, 100 tokens read]
}

// Failures come as one type, sorted by what can be done about them.
func ExampleClient_Stream_failure() {
	srv := httptest.NewServer(&server{answers: []answer{{status: 401, body: `{"detail":"Invalid API Key"}`}}})
	defer srv.Close()

	client, err := openai.New(openai.Options{Options: wire.Options{
		BaseURL: srv.URL, Name: "mistral", Key: "wrong",
		KeySource: "env MISTRAL_API_KEY",
	}, Model: "m"})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer client.CloseIdle()
	for _, err := range client.Stream(context.Background(), chains.Request{}) {
		var failed *chains.ProviderError
		if errors.As(err, &failed) {
			fmt.Println(failed.Kind)
			fmt.Println(failed)
		}
	}
	// Output:
	// auth
	// mistral refused the key (401). Checked: env MISTRAL_API_KEY. It said: Invalid API Key.
}
