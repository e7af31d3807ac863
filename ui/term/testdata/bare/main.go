// Command bare reads the reply to one request at a server and does nothing with it:
// what a chat client cannot do without.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"
)

func main() {
	n, err := read(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(n)
}

// read returns the number of bytes of text in the reply.
func read(url string) (n int, err error) {
	body := `{"model":"test-model","stream":true,"messages":[{"role":"user","content":"Go on."}]}`
	resp, err := http.Post(url+"/chat/completions", "application/json", strings.NewReader(body))
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close() //nolint:errcheck // it was read to its end
	lines := bufio.NewScanner(resp.Body)
	for lines.Scan() {
		data, ok := bytes.CutPrefix(lines.Bytes(), []byte("data: "))
		if !ok || string(data) == "[DONE]" {
			continue
		}
		var chunk struct {
			Choices []struct {
				Delta struct {
					Content string `json:"content"`
				} `json:"delta"`
			} `json:"choices"`
		}
		if err := json.Unmarshal(data, &chunk); err != nil {
			return n, fmt.Errorf("frame %q: %w", data, err)
		}
		for _, c := range chunk.Choices {
			n += len(c.Delta.Content)
		}
	}
	return n, lines.Err()
}
