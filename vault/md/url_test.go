package md

import (
	"testing"
)

func TestURLs(t *testing.T) {
	for text, want := range map[string][]string{
		"see https://a.example/x, and (http://b.example/y).": {
			"https://a.example/x", "http://b.example/y",
		},
		"https://a.example/Go_(game) https://a.example/?q=1": {
			"https://a.example/Go_(game)", "https://a.example/?q=1",
		},
		"[text](https://a.example/x) <https://b.example>": {
			"https://a.example/x", "https://b.example",
		},
		"读 https://a.example/x。": {"https://a.example/x"},
		"`https://a.example` a.example me@a.example //a.example ftp://a.example": nil,
		"```\nhttps://a.example\n```\nhttps://b.example":                         {"https://b.example"},
		"https://a.example https://a.example":                                    {"https://a.example"},
	} {
		is(t, URLs(text), want, text)
	}
}
