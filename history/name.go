package history

import (
	"path"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"ibid/vault"
)

const (
	defaultTemplate = "{$topic}@{$date}_{$time}"
	maxName         = 100 // bytes, ".md" included: file systems and sync services agree on this much
	minTopic        = 20  // bytes that a topic gets however long the template is
	topicWords      = 10
	untitled        = "Untitled Chat"
)

// Name is what the chat is called: its title, else what the file name says, else
// the first words that were said.
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

// titleFromPath is the topic in a chat's file name: without the prefix of a
// project, the date and the time.
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
	return strings.Trim(strings.Join(strings.Fields(s), " "), "- ")
}

var wikilink = regexp.MustCompile(`\[\[(.*?)\]\]`)

// topicOf is the first words of the first message of the person.
func topicOf(c *Chat) string {
	text := ""
	for _, m := range c.Display() {
		if m.Role == User {
			text = m.Text
			break
		}
	}
	if i := cutAt(text, 4096); i < len(text) {
		text = text[:i]
	}
	text = wikilink.ReplaceAllString(text, "$1")
	text = strings.Map(func(r rune) rune {
		switch {
		case strings.ContainsRune(`[]{}\/:*?"<>|`, r):
			return -1
		case unicode.IsControl(r) && !unicode.IsSpace(r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, ""))
	words := strings.Fields(text)
	if len(words) == 0 {
		return untitled
	}
	return strings.Join(words[:min(len(words), topicWords)], " ")
}

// fileName is the name that template gives a chat, with ".md". A suffix other
// than "" goes to the end of the name, to tell it from one that is taken.
func fileName(c *Chat, template string, zone *time.Location, suffix string) string {
	if template == "" {
		template = defaultTemplate
	}
	topic := cleanTitle(c.Title)
	if topic == "" {
		topic = topicOf(c)
	}
	topic = strings.Join(strings.Fields(topic), "_")
	at := time.UnixMilli(c.Epoch).In(zone)
	rest := strings.NewReplacer("{$date}", at.Format("20060102"), "{$time}", at.Format("150405")).Replace(template)
	rest = strings.TrimSuffix(rest, ".md") + suffix
	if n := strings.Count(rest, "{$topic}"); n > 0 {
		room := (maxName - len(".md") - len(rest) + n*len("{$topic}")) / n
		topic = topic[:cutAt(topic, max(room, minTopic))]
		rest = strings.ReplaceAll(rest, "{$topic}", topic)
	}
	rest = legal(rest)
	if len(rest) > maxName-len(".md") {
		rest = rest[:cutAt(rest, maxName-len(".md")-len(suffix))] + suffix
	}
	return rest + ".md"
}

// shortName is for file systems that refuse the long one.
func shortName(c *Chat, suffix string) string {
	return "chat-" + strconv.FormatInt(c.Epoch, 10) + suffix + ".md"
}

// legal makes s a file name on every system: no separators, nothing hidden, and
// no name that Windows keeps for devices.
func legal(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case strings.ContainsRune(`\/:*?"<>|`, r):
			return '_'
		case unicode.IsControl(r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "_"))
	s = strings.TrimSpace(s)
	if strings.HasPrefix(s, ".") {
		s = "_" + s[1:]
	}
	if device.MatchString(s) {
		s = "_" + s
	}
	if s == "" {
		return strings.ReplaceAll(untitled, " ", "_")
	}
	return s
}

var device = regexp.MustCompile(`(?i)^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|$)`)

// cutAt is the largest length of at most n bytes at which s can be cut without
// breaking a character.
func cutAt(s string, n int) int {
	if len(s) <= n {
		return len(s)
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	// A mark that joins what is before it stays with it, and so does what it
	// joins: half an emoji is another one.
	for n > 0 {
		r, _ := utf8.DecodeRuneInString(s[n:])
		prev, size := utf8.DecodeLastRuneInString(s[:n])
		if !unicode.Is(unicode.M, r) && r != '\u200d' && prev != '\u200d' {
			break
		}
		n -= size
	}
	return n
}

// join puts a name into a folder.
func join(folder vault.Path, name string) vault.Path {
	return vault.Path(path.Join(string(folder), name))
}
