package history

import (
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"ibid/vault"
	"ibid/vault/md"
)

const (
	maxName    = 100 // bytes, with ".md": a length that all file systems and sync services accept
	topicWords = 10  // words
	untitled   = "Untitled Chat"
)

// Name returns the name of the chat for display: its title, else the topic in the file name, else the first
// words of the first question.
func (c *Chat) Name() string {
	if t := cleanTitle(c.Title); t != "" {
		return t
	}
	if t := titleFromPath(c.Path); t != "" {
		return t
	}
	return topicOf(c)
}

var (
	fallbackName = regexp.MustCompile(`^chat-\d{9,}`)
	dateRun      = regexp.MustCompile(`\d{8}|\d{4}_\d{2}_\d{2}`)
	clockRun     = regexp.MustCompile(`\d{6}|-?\d{2}[_-]\d{2}[_-]\d{2}$`)
)

// titleFromPath returns the topic in a chat's file name: without the prefix of a project, the date and the
// time.
func titleFromPath(p vault.Path) string {
	s := p.Base()
	if fallbackName.MatchString(s) {
		return ""
	}
	if i := strings.LastIndex(s, "__"); i >= 0 {
		s = s[i+len("__"):]
	}
	s = dateRun.ReplaceAllString(s, "")
	s = clockRun.ReplaceAllString(s, "")
	s = strings.NewReplacer("@", " ", "_", " ").Replace(s)
	return strings.Trim(md.OneLine(s), "- ")
}

var wikilink = regexp.MustCompile(`\[\[(.*?)\]\]`)

// topicOf returns the first words of the first message of the person.
func topicOf(c *Chat) string {
	text := ""
	for _, at := range c.Questions() {
		text = c.Messages[at].Text
		break
	}
	if i := cutLength(text, 4096); i < len(text) {
		text = text[:i]
	}
	text = wikilink.ReplaceAllString(text, "$1")
	words := strings.Fields(withoutSigns(strings.ToValidUTF8(text, "")))
	if len(words) == 0 {
		return untitled
	}
	return strings.Join(words[:min(len(words), topicWords)], " ")
}

// withoutSigns returns text without the characters that file names or links cannot hold.
func withoutSigns(text string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(`[]{}\/:*?"<>|`, r) || unicode.IsControl(r) && !unicode.IsSpace(r) {
			return -1
		}
		return r
	}, text)
}

// topicLength limits the characters of a topic that a model wrote.
const topicLength = 50

var topicLabel = regexp.MustCompile(`(?i)^(?:title|titel|titre|título|titolo|topic)\s*[:：]\s*`)

// CleanTopic turns a model's answer into the topic of a chat: its first line that is not empty, at most 50
// characters, without quotes, markup and characters that file names cannot hold; "" if none remain.
func CleanTopic(said string) string {
	line := ""
	for l := range strings.SplitSeq(said, "\n") {
		if line = cleanTitle(l); line != "" {
			break
		}
	}
	const marks = "#*_`\"'“”„‟‘’‚‛«»‹›「」『』 "
	line = strings.TrimLeft(topicLabel.ReplaceAllString(strings.Trim(line, marks), ""), marks)
	line = withoutSigns(strings.TrimRight(line, marks+"."))
	if letters := []rune(line); len(letters) > topicLength {
		line = line[:cutLength(line, len(string(letters[:topicLength])))]
	}
	return cleanTitle(line)
}

// fileName returns the name of a chat's file, TOPIC@DATE_TIME.md with the time of its first message. suffix
// goes before ".md", to make the name unique. Characters that would end the name of a note in a wikilink are
// left out.
func fileName(c *Chat, zone *time.Location, suffix string) string {
	end := time.UnixMilli(c.Epoch).In(zone).Format("@20060102_150405") + suffix + ".md"
	topic := cleanTitle(c.Title)
	if topic == "" {
		topic = topicOf(c)
	}
	topic = legalName(strings.Join(strings.FieldsFunc(topic, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune("#^[]", r)
	}), "_"))
	if topic == "" {
		topic = strings.ReplaceAll(untitled, " ", "_")
	}
	return topic[:cutLength(topic, maxName-len(end))] + end
}

// shortName returns a name for file systems that refuse the one from fileName.
func shortName(c *Chat, _ *time.Location, suffix string) string {
	return "chat-" + strconv.FormatInt(c.Epoch, 10) + suffix + ".md"
}

// legalName makes s a valid beginning of a file name on every system, without separators and leading dot.
func legalName(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case strings.ContainsRune(`\/:*?"<>|`, r):
			return '_'
		case unicode.IsControl(r):
			return -1
		}
		return r
	}, s)
	if strings.HasPrefix(s, ".") {
		s = "_" + s[1:]
	}
	return s
}

// cutLength returns the largest length of at most n bytes at which s can be cut without breaking a character.
func cutLength(s string, n int) int {
	if len(s) <= n {
		return len(s)
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return n
}
