package browse

import (
	"context"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	"ibid/ui/page"
	"ibid/ui/term"
	"ibid/vault"
)

// showIn shows in Obsidian what a link leads to.
func (c *Catalog) showIn(link string) page.Request {
	return page.Do{Work: openInObsidian(c.Vault, c.Opener, link)}
}

// openInObsidian shows in Obsidian what a link leads to, with the command that opens
// an address. Where there is none the user gets the address.
func openInObsidian(v *vault.Vault, opener []string, link string) term.Work {
	return func(context.Context) tea.Msg {
		found, _, _, _, err := target(v, link)
		if found.Path == "" {
			return page.Complain(err.Error())
		}
		return openAddress(opener, obsidianURL(v.Dir(), found), "opening in Obsidian: "+string(found.Path))
	}
}

// openAddress opens an address with the command that does, and says so. Where there is
// none the user gets the address.
func openAddress(argv []string, address, said string) tea.Msg {
	switch missing, err := term.Open(argv, address); {
	case missing != "":
		return page.Copy{Text: address, What: fmt.Sprintf("%s, since %s is not installed, which opens it", address, missing)}
	case err != nil:
		return page.Complain(err.Error())
	}
	return page.Toast{Text: said}
}

// showPage shows the address of a page in full: to open it tells the page.
func showPage(link string) tea.Msg {
	text := link + "\n\nNothing was fetched. o opens the page in the browser, y copies its address, " +
		"+ attaches its text to the next turn."
	return Section{link, "a page of the web", text, "", 0, 0}
}

// obsidianOpen is the beginning of the addresses under which Obsidian opens notes.
const obsidianOpen = "obsidian://open?"

// obsidianURL is the address under which Obsidian opens a note of the vault in dir.
func obsidianURL(dir string, f vault.FoundNote) string {
	file := string(f.Path)
	if f.Subpath != "" {
		file += "#" + f.Subpath
	}
	escape := func(s string) string { return strings.ReplaceAll(url.QueryEscape(s), "+", "%20") }
	return obsidianOpen + "vault=" + escape(filepath.Base(dir)) + "&file=" + escape(file)
}

// AddressIn gives the addresses of what links lead to in a vault, "" for nothing.
func AddressIn(v *vault.Vault) func(link string) string {
	return func(link string) string {
		found := v.Resolve(link, "")
		if found.Path == "" {
			found = v.Find(link)
		}
		if found.Path == "" {
			return ""
		}
		return obsidianURL(v.Dir(), found)
	}
}

// FollowAddress is what a click on an address wants: a note is shown here, the address
// of a page is copied, since following it would tell the page.
func FollowAddress(address string) page.Request {
	if !strings.HasPrefix(address, obsidianOpen) {
		return page.Copy{Text: address, What: address}
	}
	u, err := url.Parse(address)
	if err != nil {
		return nil
	}
	return page.Open{ID: page.Links, Arg: u.Query().Get("file")}
}
