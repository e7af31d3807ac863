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

// showIn shows the target of a link in Obsidian.
func (c *Catalog) showIn(link string) page.Request {
	v, opener := c.Vault, c.Opener
	return page.Do{Work: func(context.Context) tea.Msg {
		found, _, _, _, err := target(v, link)
		if found.Path == "" {
			return page.Complain(err.Error())
		}
		return openAddress(opener, obsidianURL(v.Dir(), found), "opening in Obsidian: "+string(found.Path))
	}}
}

// openAddress opens an address with the command argv, and says so. Without such a command, the address
// goes to the clipboard.
func openAddress(argv []string, address, said string) tea.Msg {
	switch missing, err := term.Open(argv, address); {
	case missing != "":
		return page.Copy{
			Text: address, What: fmt.Sprintf("%s, since %s is not installed, which opens it", address, missing),
		}
	case err != nil:
		return page.Complain(err.Error())
	}
	return page.Toast{Text: said}
}

// showPage shows the full address of a web page. Opening the page would reveal the visit to its server.
func showPage(link string) tea.Msg {
	text := link + "\n\nNothing was fetched. o opens the page in the browser, y copies its address, " +
		"+ attaches its text to the next turn."
	return Section{link, "a page of the web", text, "", 0, 0}
}

// obsidianOpen begins the addresses under which Obsidian opens notes.
const obsidianOpen = "obsidian://open?"

// obsidianURL returns the address under which Obsidian opens a note of the vault in dir.
func obsidianURL(dir string, f vault.FoundNote) string {
	file := string(f.Path)
	if f.Subpath != "" {
		file += "#" + f.Subpath
	}
	escape := func(s string) string { return strings.ReplaceAll(url.QueryEscape(s), "+", "%20") }
	return obsidianOpen + "vault=" + escape(filepath.Base(dir)) + "&file=" + escape(file)
}

// follow returns the file that a link in a chat leads to, by the rules of Obsidian or else as a name of an old chat.
func follow(v *vault.Vault, link string) vault.FoundNote {
	found := v.Resolve(link, "")
	if found.Path == "" {
		found = v.Find(link, vault.ToReadOldChat)
	}
	return found
}

// AddressIn returns a function that maps links to the addresses of their targets in a vault, "" for
// none.
func AddressIn(v *vault.Vault) func(link string) string {
	return func(link string) string {
		found := follow(v, link)
		if found.Path == "" {
			return ""
		}
		return obsidianURL(v.Dir(), found)
	}
}

// FollowAddress handles a click on an address: a note is shown here; the address of a page is copied,
// since opening it would reveal the visit to its server.
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
