package openai_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ibid/chains"
	"ibid/chains/wire"
)

// TestModels reads the lists of many kinds of server.
func TestModels(t *testing.T) {
	rows := []struct {
		name string
		list string
		want []chains.ModelInfo
	}{
		{"OpenAI", `{"object":"list","data":[{"id":"text-embedding-3-small","object":"model","created":1,"owned_by":"system"},{"id":"gpt-5","owned_by":"openai"}]}`, []chains.ModelInfo{{ID: "gpt-5", Chat: true, Owner: "openai"}, {ID: "text-embedding-3-small", Owner: "system"}}},
		{"OpenRouter", `{"data":[{"id":"a/b","context_length":200000,"architecture":{"input_modalities":["text","image"]},"top_provider":{"context_length":131072,"max_completion_tokens":8192},"supported_parameters":["tools","reasoning"],"pricing":{"prompt":"0.1"}}]}`, []chains.ModelInfo{{ID: "a/b", Window: 131072, MaxOutput: 8192, Chat: true, Images: true, Tools: true, Thinks: true}}},
		{"Mistral", `{"data":[{"id":"m","max_context_length":32768,"capabilities":{"completion_chat":true,"function_calling":true,"vision":false}},{"id":"fim","max_context_length":1,"capabilities":{"completion_chat":false}}]}`, []chains.ModelInfo{{ID: "m", Window: 32768, Chat: true, Tools: true}, {ID: "fim", Window: 1}}},
		{
			"OpenRouter, no tools",
			`{"data":[{"id":"a/c","context_length":8192,"supported_parameters":["temperature"]}]}`,
			[]chains.ModelInfo{{ID: "a/c", Window: 8192, Chat: true, NoTools: true}},
		},
		{
			"Mistral, no tools",
			`{"data":[{"id":"m","capabilities":{"completion_chat":true,"function_calling":false}}]}`,
			[]chains.ModelInfo{{ID: "m", Chat: true, NoTools: true}},
		},
		{"Groq", `{"data":[{"id":"g","active":true,"context_window":131072,"max_completion_tokens":4096},{"id":"gone","active":false},{"id":"whisper-large-v3","active":true}]}`, []chains.ModelInfo{{ID: "g", Window: 131072, MaxOutput: 4096, Chat: true}, {ID: "whisper-large-v3"}}},
		{
			"Together", `[{"id":"x/y","type":"chat","context_length":8192},{"id":"x/img","type":"image"}]`,
			[]chains.ModelInfo{{ID: "x/y", Window: 8192, Chat: true}, {ID: "x/img"}},
		},
		{
			"vLLM", `{"data":[{"id":"Qwen/Qwen3-8B","owned_by":"vllm","max_model_len":40960}]}`,
			[]chains.ModelInfo{{ID: "Qwen/Qwen3-8B", Window: 40960, Chat: true, Owner: "vllm"}},
		},
		{
			"strange", `{"data":[7,null,{"id":5},{"name":"n","context_length":"4096"}],"object":9}`,
			[]chains.ModelInfo{{ID: "n", Window: 4096, Chat: true}},
		},
		{"empty", `{"data":[]}`, nil},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			srv := newServer(t)
			srv.pages["/v1/models"] = row.list
			c := srv.client()
			list, err := c.Models(t.Context())
			if d := cmp.Diff(row.want, list); d != "" || err != nil {
				t.Errorf("%s error %v", d, err)
			}
			if len(list) > 0 {
				if m, ok := c.Known(list[0].ID); !ok || m != list[0] {
					t.Errorf("Known = %+v %v", m, ok)
				}
			}
		})
	}
}

func TestModelsFail(t *testing.T) {
	for list, want := range map[string]chains.ErrorKind{
		"<html>":      chains.ErrBadReply,
		`{"hello":1}`: chains.ErrBadReply, "": chains.ErrBadReply,
	} {
		srv := newServer(t)
		srv.pages["/v1/models"] = list
		_, err := srv.client().Models(t.Context())
		if e := providerError(t, err); e.Kind != want || !strings.Contains(e.Message, "base_url") {
			t.Errorf("%q: %q %q", list, e.Kind, e.Message)
		}
	}
	_, err := clientOf(t, wire.Options{BaseURL: newServer(t).url}).Models(t.Context())
	if e := providerError(t, err); e.Status != 404 {
		t.Errorf("no list: %+v", e)
	}
}

func TestFirstChat(t *testing.T) {
	names := "text-embedding-3-large nomic-embed-text whisper-1 tts-1 dall-e-3 gpt-image-1 omni-moderation-latest rerank-v3 " +
		"gpt-4o-realtime-preview gpt-4o-audio-preview gpt-4o-transcribe bge-m3 llama-guard-3-8b stable-diffusion-xl sora-2 davinci-002 gemini-2.5-flash-image"
	srv := newServer(t)
	var rows []string
	for _, n := range strings.Fields(names) {
		rows = append(rows, `{"id":"`+n+`"}`)
	}
	srv.pages["/v1/models"] = `{"data":[` + strings.Join(rows, ",") + `]}`
	c := srv.client()
	list, err := c.Models(t.Context())
	if m, ok := chains.FirstChat(list); ok || err != nil {
		t.Errorf("%q taken for a chat model, error %v", m.ID, err)
	}
	for _, n := range []string{
		"gpt-5.6-sol", "deepseek-r1-distill-qwen-7b", "claude-sonnet-5",
		"models/gemini-2.5-pro", "gpt-oss:20b", "mistral-small-latest",
	} {
		srv.pages["/v1/models"] = `{"data":[{"id":"tts-1"},{"id":"` + n + `"}]}`
		if list, _ = c.Models(t.Context()); list[0].ID != n || !list[0].Chat {
			t.Errorf("%q is not taken for a chat model", n)
		}
	}
	if m, _ := chains.FirstChat([]chains.ModelInfo{
		{ID: "a", Chat: true},
		{ID: "b", Chat: true, Loaded: true},
	}); m.ID != "b" {
		t.Errorf("FirstChat = %q, want the one that is loaded", m.ID)
	}
}

// TestLocalModels: servers of this machine say what they have in memory.
func TestLocalModels(t *testing.T) {
	studio := newServer(t)
	studio.pages["/v1/models"] = `{"data":[{"id":"phi","owned_by":"organization_owner"}]}`
	studio.pages["/api/v0/models"] = `{"data":[{"id":"phi","type":"vlm","state":"loaded","max_context_length":131072,"loaded_context_length":8192}]}`
	llama := newServer(t)
	llama.pages["/v1/models"] = `{"models":[{"name":"gguf"}],"data":[{"id":"gguf","owned_by":"llamacpp","meta":{"n_ctx_train":32768}}]}`
	llama.pages["/props"] = `{"default_generation_settings":{"n_ctx":16384}}`
	for _, row := range []struct {
		at   string
		want chains.ModelInfo
	}{
		{studio.url, chains.ModelInfo{
			ID: "phi", Window: 8192, Chat: true, Images: true, Loaded: true, Owner: "organization_owner",
		}},
		{llama.url, chains.ModelInfo{
			ID: "gguf", Window: 16384, Chat: true, Loaded: true, Owner: "llamacpp",
		}},
	} {
		got, err := clientOf(t, wire.Options{BaseURL: row.at}).Models(t.Context())
		check(t, err)
		if d := cmp.Diff([]chains.ModelInfo{row.want}, got); d != "" {
			t.Error(d)
		}
	}
}
