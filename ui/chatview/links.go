package chatview

import (
	"net/url"
	"strings"

	"ibid/chains/cite"
	"ibid/ui/term"
	"ibid/vault/md"
)

// targetsOf returns the link targets of the sources of a drawn reply, in the order of their numbers.
func targetsOf(drawn string) (targets []string) {
	for _, source := range cite.ListedSources(drawn) {
		targets = append(targets, linkIn(source))
	}
	return targets
}

// linkIn returns the target of a link as a wikilink would name it. link may be a wikilink or a link in
// markdown.
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
