package tokens

import (
	"regexp"
	"strconv"
	"strings"
)

// normalise returns a model's name in the form of the tables.
func normalise(model string) string {
	name := strings.ToLower(model)
	name = strings.TrimSpace(name[strings.LastIndexByte(name, '/')+1:])
	name, _, _ = strings.Cut(strings.TrimPrefix(name, "ft:"), ":")
	name, _, _ = strings.Cut(name, "@")
	// Gateways put vendors in front with a dot: us.anthropic.claude-…
	if i := strings.LastIndex(name, "anthropic."); i >= 0 {
		name = name[i+len("anthropic."):]
	}
	name = strings.TrimPrefix(name, "meta-")
	name = strings.TrimSuffix(name, "-latest")
	name = strings.NewReplacer("_", "-", ".", "-").Replace(name)
	return releaseDate.ReplaceAllString(name, "")
}

// releaseDate matches a date at the end of a name: -2026-03-05, -20260305, -08-2024.
var releaseDate = regexp.MustCompile(`-(?:\d{4}-\d{2}-\d{2}|\d{8}|\d{2}-\d{4})$`)

// versionPart matches a version in the rest of a name: one or two numbers of one or two digits, with a dot or a
// dash between them, each a separate word except for a leading v, k or m ("3.3-70b" is 3.3, "4-0613" is 4, "v4-pro"
// is 4; sizes such as 70b are none).
var versionPart = regexp.MustCompile(`(?:^|[-.]|(?:^|-)[vkm])(\d{1,2})(?:[.-](\d{1,2}))?(?:[-.]|$)`)

// versionOf returns the first version in the rest of a name.
func versionOf(rest string) version {
	var v version
	if m := versionPart.FindStringSubmatch(rest); m != nil {
		v.major, _ = strconv.Atoi(m[1])
		v.minor, _ = strconv.Atoi(m[2]) // 0 if there is none
	}
	return v
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
