package wire

import (
	"strings"

	"ibid/chains"
)

// meaning is what a failure means, and what a person can do about it.
type meaning struct {
	said   wordings             // of what Failure.words gives
	unless func(f Failure) bool // it means something else all the same; nil is never
	kind   chains.ErrorKind
	code   string // in place of the server's
	later  bool   // the same request may succeed later
	advice string // see Client.word
}

// What several lines of the table have.
const (
	noModel = "Model \"{asked}\" not found at {name}. " + anyModel
	busy    = "Rate limited by {name}{status}. Try again {wait}, or choose another model."
	down    = "{name} is not answering{status}. Try again {wait}; your message is kept."

	missingModel = `model_not_found|model.{0,160}(not found|does not exist|is not available|not supported)|model: .{1,160}\s+not_found_error|` +
		`(unknown|invalid|no such) model|not a valid model|no endpoints found|try pulling it`
)

// perMinute is how servers say that a request has more tokens than they take in a
// minute, or comes too soon, which is no limit of the model.
var perMinute = saying(`(?:tokens|requests|input tokens) per (?:min|minute|hour|day)|\b(?:tpm|rpm|tpd|rpd|itpm)\b|rate[ _-]?limit|quota exceeded for (?:quota )?metric|resource_exhausted|please wait before|throttl`)

// meanings is what servers mean by their failures: the first line that fits decides, and
// the last fits all. Providers hide the same cause behind different statuses: a prompt
// that is too long arrives as 400, 413, 429 and 500. So words come before statuses, but
// for those of a status that contradicts them.
var meanings = []meaning{
	{
		kind: chains.ErrConfig, code: chains.NoTools,
		advice: "{name} takes no tools for this model{status}.",
		said:   saying(`^(400|404|422|500|501) `), unless: takesTools,
	},
	{
		kind:   chains.ErrQuota,
		advice: "Out of credit at {name}{status}. Add credit there or choose another model; your message is kept.",
		said: saying(
			`^402 |insufficient[_ ](quota|credit|balance|funds)|exceeded your current quota|credit balance|payment required|` +
				`out of credits?|billing_hard_limit|billing hard limit|requires more credits|arrearage`), unless: comesBack,
	},
	{
		kind:   chains.ErrConfig,
		advice: "{name} has {model} over the Responses API alone{status}: set protocol = \"responses\" for this provider.",
		said:   saying(`^4.. .*only (?:supported |available )?(?:in|through|with|via|on) (?:the )?(?:/?v1/responses|responses api)`),
	},
	{
		kind: chains.ErrConfig, code: NoSuchModel,
		advice: "{name} has no deployment \"{asked}\"{status}: name yours with --model. One that is new takes some minutes.",
		said:   saying(`^4.. .*(deploymentnotfound|deployment\b.{0,60}does not exist)`),
	},
	{
		kind:   chains.ErrConfig,
		advice: "At {name} nobody who serves {model} keeps to your data policy{status}: change it in your account there, or choose another model.",
		said:   saying(`^4.. .*data policy`),
	},
	{
		kind:   chains.ErrConfig,
		advice: "{model} is no model that chats{status}. " + anyModel,
		said:   saying(`^4.. .*not a chat model`),
	},
	{
		kind: chains.ErrConfig, code: NoSuchModel, advice: noModel,
		said: saying(`^404 .*(` + missingModel + `)`),
	},
	{
		kind:   chains.ErrConfig,
		advice: "{name} has no chat at this address (404): check base_url, which usually ends in /v1.",
		said:   saying(`^404 `),
	},
	{
		kind:   chains.ErrAuth,
		advice: "{name} refused the key{status}. Checked: {source}.",
		said: saying(
			`^401 |^(0|4[^02].|40[^34]|42[^9]) .*((invalid|incorrect|wrong|missing|expired|not valid)[a-z ]*api[ _-]?key|api[ _-]?key (is |was )?(not valid|invalid|missing|expired|required)|` +
				`invalid_api_key|authentication[_ ](error|fails|failed)|unauthorized|unauthenticated|not authenticated|no auth credentials)`),
	},
	{
		kind:   chains.ErrRate,
		advice: "More tokens than {name} takes in a minute{status}. Detach notes, start a new chat, or choose another model.",
		said:   perMinute, unless: fitsMinute,
	},
	{
		kind: chains.ErrRate, later: true, advice: busy,
		said: perMinute,
	},
	{
		kind:   chains.ErrContext,
		advice: "Too long for {model}{tokens}. Detach notes or start a new chat.",
		said:   tooLong,
	},
	{
		kind: chains.ErrRate, later: true, advice: busy,
		said: saying(`^429 |^(0|400|5..) .*(too many requests|ratelimitreached)`),
	},
	{
		kind: chains.ErrTimeout, later: true, advice: down,
		said: saying(`^(408|504|524) |^(0|5..) .*(timed out|timeout)`),
	},
	{
		kind: chains.ErrServer, later: true, advice: down,
		said: saying(`^(409|425|5..) |^0 .*(overloaded|temporarily unavailable|server_error|internal error|(?:cuda|rocm|metal) error)`),
	},
	{
		kind:   chains.ErrAuth,
		advice: "{name} does not allow this request (403). Checked: {source}.",
		said:   saying(`^403 `),
	},
	{
		kind: chains.ErrConfig, code: NoSuchModel, advice: noModel,
		said: saying(`^(0|4..) .*(` + missingModel + `)`),
	},
	{
		kind:   chains.ErrConfig,
		advice: "The proxy{ proxy} wants a name and a password (407): put them into {proxy var} as http://NAME:PASSWORD@HOST.",
		said:   saying(`^407 `),
	},
	{
		kind:   chains.ErrConfig,
		advice: "{name} refused the request{status}.",
		said:   saying(``),
	},
}

// meaning is the line of the table that fits f, with the numbers of tokens that f names.
func (f *Failure) meaning() (m meaning, window, asked int) {
	said, ok := f.words(), false
	for _, m = range meanings {
		if window, asked, ok = m.said.find(said); ok && (m.unless == nil || !m.unless(*f)) {
			break
		}
	}
	return m, window, asked
}

// What servers call tools, and how they say that they take none.
var toolsRefused = pattern(
	`(?s)\b(tools?|functions|tool[ _-]?(use|calls?|calling|choice)|function[ _-]?(call|calls|calling))\b.{0,60}\b(not (supported|enabled|available|allowed|permitted)|unsupported|isn't supported|requires? --)|` +
		`\b((do|does|did) ?n[o']t (currently )?support|not configured to support|unsupported|unrecognized|unknown|unexpected|not permitted|not supported|no endpoints found that support)\b.{0,90}\b(tools?|functions|tool[ _-]?(use|calls?|calling|choice)|function[ _-]?(call|calls|calling))\b`)

// takesTools reports whether f does not say that the model, or the server as it was
// started, takes no list of tools. One server says so with status 500.
func takesTools(f Failure) bool {
	return namesField(f) || !toolsRefused().MatchString(strings.ToLower(f.Message+"\n"+f.Detail))
}

// comesBack tells a busy minute from a used-up account: a provider that says when to
// come back means the minute.
func comesBack(f Failure) bool {
	return f.Status == 429 && f.RetryAfter > 0 && !strings.Contains(f.words(), "insufficient")
}

// minuteNamed finds the numbers in the words about a minute.
var minuteNamed = saying(`limit:? #W,? requested:? #P`)

// fitsMinute reports whether a request is not larger than what the server takes in a
// minute: then waiting helps.
func fitsMinute(f Failure) bool {
	limit, asked, ok := minuteNamed.find(f.words())
	return asked <= limit && (ok || !strings.Contains(f.words(), "request too large"))
}
