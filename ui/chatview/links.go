package chatview

import (
	"net/url"
	"strings"

	"ibid/chains/cite"
	"ibid/ui/term"
	"ibid/vault/md"
)

// targetsOf is what the sources of a reply as it is shown are, in the order of their
// numbers.
func targetsOf(drawn string) (targets []string) {
	for _, source := range cite.ListedSources(drawn) {
		targets = append(targets, linkIn(source))
	}
	return targets
}

// linkIn is what a wikilink says that leads where a link in markdown does.
func linkIn(link string) string {
	if inner, n := md.Wikilink(link); n == len(link) && inner != "" {
		target, _ := md.Target(inner)
		return target
	}
	at := strings.LastIndex(link, "](")
	if at < 0 {
		return link
	}
	address := strings.TrimSuffix(link[at+2:], ")")
	if term.IsPage(address) {
		return address
	}
	if path, err := url.PathUnescape(address); err == nil {
		return path
	}
	return address
}
