package wire

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// wordings is ways to say something. #W and #P in them stand for numbers of tokens:
// what the model takes, and what was asked.
type wordings func() []*regexp.Regexp

// saying compiles wordings when they are first needed: most runs of the program see
// no failure.
func saying(exprs ...string) wordings {
	numbers := strings.NewReplacer(`#W`, `(?P<window>\d[\d,_]*)`, `#P`, `(?P<prompt>\d[\d,_]*)`)
	return sync.OnceValue(func() (all []*regexp.Regexp) {
		for _, expr := range exprs {
			all = append(all, regexp.MustCompile(`(?is)`+numbers.Replace(expr)))
		}
		return all
	})
}

// find reports whether text has one of the wordings, with the numbers that the first
// of them names, 0 where it names none.
func (w wordings) find(text string) (window, prompt int, ok bool) {
	for _, words := range w() {
		m := words.FindStringSubmatch(text)
		if m == nil {
			continue
		}
		for i, name := range words.SubexpNames() {
			count, err := strconv.Atoi(strings.NewReplacer(",", "", "_", "").Replace(m[i]))
			switch {
			case err != nil || count > 1<<31-1:
			case name == "window":
				window = count
			case name == "prompt":
				prompt = count
			}
		}
		return window, prompt, true
	}
	return 0, 0, false
}

// tooLong is how servers say that a prompt is too long. The first that fits
// decides, so what names more numbers stands before what names fewer. Each has
// its examples in testdata/toolong.jsonl.
var tooLong = saying(
	// vLLM from 0.10
	`maximum context length is #W tokens.{0,200}your request has #P input tokens`,
	// vLLM from 0.16
	`maximum context length is #W tokens.{0,200}for a total of at least #P tokens`,
	// vLLM from 0.12
	`you passed #P input tokens.{0,120}context length is only #W`,
	// SGLang
	`maximum context length of #W tokens.{0,80}requested a total of #P tokens`,
	// OpenAI, Azure, DeepSeek, vLLM, OpenRouter
	`maximum context length[a-z ]{1,20}#W tokens.{0,80}?(?:resulted in|you requested)(?: about| over)? #P`,
	// OpenAI, Azure
	`input tokens exceed the configured limit of #W tokens.{0,80}resulted in #P`,
	// OpenAI
	`exceeds? the context window`,
	// OpenAI, for one message
	`'(?:messages|input)\b[^']*': string too long`,
	// xAI
	`maximum prompt length is #W but the request contains #P`,
	// Anthropic, Bedrock, Fireworks, Databricks, DeepSeek, AI21, KoboldCpp
	`prompt is too long: #P\b\D{1,80}#W`,
	// Anthropic
	`exceed context limit: #P \+ \d+ > #W`,
	// Gemini
	`input token count exceeds the maximum number of tokens allowed:? \(?#W`,
	// Vertex
	`input token count is #P but (?:the )?model only supports up to #W`,
	// Mistral
	`prompt contains #P tokens.{0,60}model with #W maximum context`,
	// TGI, Hugging Face
	`inputs\W{1,2} must have less than #W tokens\. given: #P`,
	// TGI, Together
	`inputs\W{1,2} tokens \+ \W?max_new_tokens\W{1,2} must be <= #W\. given: #P`,
	// Cohere
	`prompt cannot exceed #W - received #P`,
	`too many tokens: size limit exceeded.{0,160}limit for this model is #W`,
	// GitHub Models
	`request body too large for .{0,80}max size: #W tokens`,
	// Moonshot
	`exceeded model token limit: #W(?: \(requested: #P\))?`,
	// Alibaba
	`range of input length should be \[\d+, ?#W\]`,
	// z.ai
	`prompt exceeds max length|input length exceeds the model's limit`,
	// Cerebras
	`current length is #P while limit is #W`,
	// SiliconFlow
	`length of prompt_tokens \(#P\) must be less than max_seq_len \(#W`,
	// Perplexity
	`max(?:imum)? (?:prompt )?tokens (?:is|:)? ?#W but got #P`,
	// MiniMax
	`context window exceeds limit`,
	// PaLM
	`supports (?:up to|at most) #W input tokens(?:, but received #P)?`,
	// Titan
	`max input tokens: #W, request input token count: #P`,
	// SambaNova
	`exceeds the maximum supported sequence length #W`,
	// Novita
	`prompt tokens #P, max context #W`,
	// TensorRT-LLM
	`sum of prompt length \(#P\).{0,60}max_seq_len \(#W`,
	`max_seq_len \(#W\) - prompt_token_num \(#P`,
	// llama-cpp-python
	`requested tokens \(#P\) exceed context window of #W`,
	// Snowflake
	`max tokens of #W exceeded`,
	// llama.cpp
	`request \(#P tokens\) exceeds the available context size \(#W`,
	`context shift is disabled|input is too large to process`,
	// llama.cpp, in fields
	`n_ctx #W n_prompt_tokens #P`,
	// LM Studio
	`keep the first #P tokens when.{0,60}overflows.{0,80}context length of only #W`,
	`reached context length of #W tokens|greater than the context length`,
	// Ollama
	`input length exceeds (?:the |maximum )?context length|exceeded max context length by \d+ tokens`,
	// Bedrock
	`input is too long for requested model|input tokens exceeded|too many input tokens`,
	// Gemini, Copilot, Cloudflare, watsonx, Poolside, Databricks, DeepInfra, SGLang, vLLM's engine, LMDeploy, TabbyAPI, MLX
	`\b(?:prompt|input(?:_ids)?|context|sequence)\b[a-z (:=]{1,40}#P(?: tokens)?\)?,? (?:exceeds?|(?:is )?(?:longer|greater|larger) than|(?:cannot|should not|must not) exceed|must be less than)[a-z_' (]{1,60}#W`,
	// gateways
	`(?:maximum context length|context window)(?: of [\w./-]+)?(?: is| of|:) #W`,
	// Groq
	`reduce the length of the (?:messages|prompt|input)(?:.{0,60}supports at most #W tokens)?`,
	// several
	`context_length_exceeded|request_too_large|tokens_limit_reached|exceed_context_size|model_max_prompt_tokens_exceeded|user_message_too_long`,
	`(?:prompt|input|conversation|message|context|request)[a-z ]{0,30}(?:is|are) too long|exceeds? (?:the )?(?:model(?:'s)? )?(?:maximum |max )?(?:allowed |available )?(?:context|prompt|input)[ _](?:length|limit|size|window)`,
	`(?:context|prompt|input)[ _](?:length|window|size|limit)(?: is| was)? (?:exceeded|overflow)|too many tokens in (?:the )?(?:prompt|request)|maximum context length`,
	// a status alone
	`^413 `,
)
