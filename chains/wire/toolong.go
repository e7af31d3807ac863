package wire

import (
	"regexp"
	"strconv"
	"strings"
)

// wording is one way to say that a prompt is too long. Its groups window and
// prompt are numbers of tokens: what the model takes, and what was asked.
type wording struct {
	servers string // that word it so
	words   func() *regexp.Regexp
}

// said compiles the expression of a wording, in which #W and #P stand for the
// numbers of the window and of the prompt.
func said(expr string) func() *regexp.Regexp {
	return pattern(`(?is)` + strings.NewReplacer(`#W`, `(?P<window>\d[\d,_]*)`, `#P`, `(?P<prompt>\d[\d,_]*)`).Replace(expr))
}

// tooLong is how servers say that a prompt is too long. The first that fits
// decides, so what names more numbers stands before what names fewer. Each has
// its examples in testdata/toolong.jsonl.
var tooLong = []wording{
	{"vLLM from 0.10", said(`maximum context length is #W tokens.{0,200}your request has #P input tokens`)},
	{"vLLM from 0.16", said(`maximum context length is #W tokens.{0,200}for a total of at least #P tokens`)},
	{"vLLM from 0.12", said(`you passed #P input tokens.{0,120}context length is only #W`)},
	{"SGLang", said(`maximum context length of #W tokens.{0,80}requested a total of #P tokens`)},
	{"OpenAI, Azure, DeepSeek, vLLM, OpenRouter", said(`maximum context length[a-z ]{1,20}#W tokens.{0,80}?(?:resulted in|you requested)(?: about| over)? #P`)},
	{"OpenAI, Azure", said(`input tokens exceed the configured limit of #W tokens.{0,80}resulted in #P`)},
	{"OpenAI", said(`exceeds? the context window`)},
	{"OpenAI, for one message", said(`'(?:messages|input)\b[^']*': string too long`)},
	{"xAI", said(`maximum prompt length is #W but the request contains #P`)},
	{"Anthropic, Bedrock, Fireworks, Databricks, DeepSeek, AI21, KoboldCpp", said(`prompt is too long: #P\b\D{1,80}#W`)},
	{"Anthropic", said(`exceed context limit: #P \+ \d+ > #W`)},
	{"Gemini", said(`input token count exceeds the maximum number of tokens allowed:? \(?#W`)},
	{"Vertex", said(`input token count is #P but (?:the )?model only supports up to #W`)},
	{"Mistral", said(`prompt contains #P tokens.{0,60}model with #W maximum context`)},
	{"TGI, Hugging Face", said(`inputs\W{1,2} must have less than #W tokens\. given: #P`)},
	{"TGI, Together", said(`inputs\W{1,2} tokens \+ \W?max_new_tokens\W{1,2} must be <= #W\. given: #P`)},
	{"Cohere", said(`prompt cannot exceed #W - received #P`)},
	{"Cohere", said(`too many tokens: size limit exceeded.{0,160}limit for this model is #W`)},
	{"GitHub Models", said(`request body too large for .{0,80}max size: #W tokens`)},
	{"Moonshot", said(`exceeded model token limit: #W(?: \(requested: #P\))?`)},
	{"Alibaba", said(`range of input length should be \[\d+, ?#W\]`)},
	{"z.ai", said(`prompt exceeds max length|input length exceeds the model's limit`)},
	{"Cerebras", said(`current length is #P while limit is #W`)},
	{"SiliconFlow", said(`length of prompt_tokens \(#P\) must be less than max_seq_len \(#W`)},
	{"Perplexity", said(`max(?:imum)? (?:prompt )?tokens (?:is|:)? ?#W but got #P`)},
	{"MiniMax", said(`context window exceeds limit`)},
	{"PaLM", said(`supports (?:up to|at most) #W input tokens(?:, but received #P)?`)},
	{"Titan", said(`max input tokens: #W, request input token count: #P`)},
	{"SambaNova", said(`exceeds the maximum supported sequence length #W`)},
	{"Novita", said(`prompt tokens #P, max context #W`)},
	{"TensorRT-LLM", said(`sum of prompt length \(#P\).{0,60}max_seq_len \(#W`)},
	{"TensorRT-LLM", said(`max_seq_len \(#W\) - prompt_token_num \(#P`)},
	{"llama-cpp-python", said(`requested tokens \(#P\) exceed context window of #W`)},
	{"Snowflake", said(`max tokens of #W exceeded`)},
	{"llama.cpp", said(`request \(#P tokens\) exceeds the available context size \(#W`)},
	{"llama.cpp", said(`context shift is disabled|input is too large to process`)},
	{"llama.cpp, in fields", said(`n_ctx #W n_prompt_tokens #P`)},
	{"LM Studio", said(`keep the first #P tokens when.{0,60}overflows.{0,80}context length of only #W`)},
	{"LM Studio", said(`reached context length of #W tokens|greater than the context length`)},
	{"Ollama", said(`input length exceeds (?:the |maximum )?context length|exceeded max context length by \d+ tokens`)},
	{"Bedrock", said(`input is too long for requested model|input tokens exceeded|too many input tokens`)},
	{"Gemini, Copilot, Cloudflare, watsonx, Poolside, Databricks, DeepInfra, SGLang, vLLM's engine, LMDeploy, TabbyAPI, MLX", said(`\b(?:prompt|input(?:_ids)?|context|sequence)\b[a-z (:=]{1,40}#P(?: tokens)?\)?,? (?:exceeds?|(?:is )?(?:longer|greater|larger) than|(?:cannot|should not|must not) exceed|must be less than)[a-z_' (]{1,60}#W`)},
	{"gateways", said(`(?:maximum context length|context window)(?: of [\w./-]+)?(?: is| of|:) #W`)},
	{"Groq", said(`reduce the length of the (?:messages|prompt|input)(?:.{0,60}supports at most #W tokens)?`)},
	{"several", said(`context_length_exceeded|request_too_large|tokens_limit_reached|exceed_context_size|model_max_prompt_tokens_exceeded|user_message_too_long`)},
	{"several", said(`(?:prompt|input|conversation|message|context|request)[a-z ]{0,30}(?:is|are) too long|exceeds? (?:the )?(?:model(?:'s)? )?(?:maximum |max )?(?:allowed |available )?(?:context|prompt|input)[ _](?:length|limit|size|window)`)},
	{"several", said(`(?:context|prompt|input)[ _](?:length|window|size|limit)(?: is| was)? (?:exceeded|overflow)|too many tokens in (?:the )?(?:prompt|request)|maximum context length`)},
}

// perMinute is how servers say that a request has more tokens than they take in a
// minute, which is no limit of the model.
var perMinute = said(`(?:tokens|requests|input tokens) per (?:min|minute|hour|day)|\b(?:tpm|rpm|tpd|rpd|itpm)\b|rate[ _-]?limit|quota exceeded for (?:quota )?metric|resource_exhausted|please wait before|throttl`)

// minuteNamed finds the numbers in such words.
var minuteNamed = said(`limit:? #W,? requested:? #P`)

// tokensIn finds the numbers that a wording names, 0 where it names none.
func tokensIn(words *regexp.Regexp, text string) (window, prompt int, ok bool) {
	m := words.FindStringSubmatch(text)
	for i, name := range words.SubexpNames() {
		if m == nil || m[i] == "" || name == "" {
			continue
		}
		count, err := strconv.Atoi(strings.NewReplacer(",", "", "_", "").Replace(m[i]))
		if err != nil || count > 1<<31-1 {
			continue
		}
		if name == "window" {
			window = count
		} else {
			prompt = count
		}
	}
	return window, prompt, m != nil
}

// readTooLong says whether text says that a prompt is too long, with the numbers
// that it names.
func readTooLong(text string) (window, prompt int, ok bool) {
	for _, w := range tooLong {
		if window, prompt, ok = tokensIn(w.words(), text); ok {
			return window, prompt, true
		}
	}
	return 0, 0, false
}
