package wire

import (
	"cmp"
	_ "embed"
	"net"
	"net/netip"
	"net/url"
	"strings"
)

// Provider describes a service: where it listens, and which
// environment variable people keep its key in. Base URLs as documented by the
// services in November 2026.
type Provider struct {
	Name       string // lower case, as --provider takes it
	BaseURL    string // "" for azure, where every customer has an address of its own
	Also       string // another host of the same service
	KeyVar     string // the environment variable whose key goes there, "" if none does
	Program    string // what to start, for one that runs on a person's machine
	Prices     bool   // its list of models says what they cost
	CacheKey   string // the body field that names a conversation, "header:Name" for a header, "" if there is none
	Effort     string // the body field that says how much to think, "" is reasoning_effort
	OutsideSum bool   // it counts thinking in total_tokens only
	Foreign    bool   // the address is none that the table knows: a key goes there only because a person named it
}

// Needed says that the provider answers nothing without a key.
func (p Provider) Needed() bool { return p.KeyVar != "" && !p.Foreign }

// Local says that the provider runs on the person's own machine.
func (p Provider) Local() bool { return p.Program != "" }

//go:embed providers.txt
var providersText string

// Providers is every provider that FindProvider knows, the local ones last.
func Providers() (all []Provider) {
	for line := range strings.Lines(providersText) {
		f := strings.Split(strings.TrimSpace(line), "|")
		if f[0][0] == '#' {
			continue
		}
		all = append(all, Provider{
			Name: f[0], BaseURL: f[1], Also: f[2], KeyVar: f[3], Program: f[4], Prices: f[5] != "",
			CacheKey: f[6], Effort: f[7], OutsideSum: f[8] != "",
		})
	}
	return all
}

// FindProvider is the provider with this name, in any case; google, claude,
// hf, z.ai and llama.cpp are understood too.
func FindProvider(name string) (Provider, bool) {
	name = strings.ToLower(strings.TrimSpace(name))
	switch name {
	case "google":
		name = "gemini"
	case "claude":
		name = "anthropic"
	case "hf":
		name = "huggingface"
	}
	name = strings.NewReplacer(".", "", "-", "", "_", "", " ", "").Replace(name)
	for _, p := range Providers() {
		if p.Name == name {
			return p, true
		}
	}
	return Provider{}, false
}

// ProviderAt is the provider at base, and with it the variable of the key that
// may go there. The host decides: one of the table gets its own variable and no
// other, the ports of local servers get none. name is what a person called the
// provider, "" if nobody did; it decides where the host is not in the table.
// There OPENAI_API_KEY goes, unless name has a variable of its own.
func ProviderAt(name, base string) Provider {
	named, _ := FindProvider(name)
	known, ok := providerOf(hostOf(base))
	switch {
	case ok && (!known.Local() || !named.Local()):
		return known
	case named.Local(): // on a port or a machine of its own
		return named
	case named.Name != "" && named.Name != "openai":
		named.Foreign = true
		return named
	}
	return Provider{Name: cmp.Or(named.Name, hostOf(base)), BaseURL: base, KeyVar: "OPENAI_API_KEY", Foreign: true}
}

// providerOf is the provider of the table that host belongs to.
func providerOf(host string) (Provider, bool) {
	for _, p := range Providers() {
		for _, known := range []string{p.Also, hostOf(p.BaseURL)} {
			switch name, _ := addrOf(host); {
			case known == "":
			case Loopback(known):
				if Loopback(host) && portOf(host) == portOf(known) {
					return p, true
				}
			case name == known, strings.HasSuffix(name, "."+known):
				return p, true
			}
		}
	}
	if isAzure(host) {
		return FindProvider("azure")
	}
	return Provider{}, false
}

// hostOf is host and port of a URL, lower case, "" if it has none.
func hostOf(base string) string {
	u, err := url.Parse(strings.TrimSpace(base))
	if err != nil {
		return ""
	}
	return strings.ToLower(u.Host)
}

// RepairURL makes an address to begin requests at of one as people write it:
// with a scheme, without the path of a request, and with the path that the
// provider of the table has. said is what was repaired, "" for nothing.
func RepairURL(base string) (repaired, said string) {
	base, query, some := strings.Cut(strings.TrimSpace(base), "?")
	if some {
		query = "?" + query
	}
	base = strings.TrimRight(base, "/")
	repaired = base
	if !strings.Contains(base, "://") && base != "" && !strings.ContainsAny(base, " \t") {
		scheme := "https://"
		if host, _, _ := strings.Cut(base, "/"); isLocal(host) {
			scheme = "http://"
		}
		repaired = scheme + base
	}
	if isAzure(hostOf(repaired)) { // its addresses say more
		return repaired + query, repairSaid(base, repaired)
	}
	for _, end := range []string{"/chat/completions", "/completions", "/responses", "/messages", "/models"} {
		repaired = strings.TrimSuffix(repaired, end)
	}
	u, err := url.Parse(repaired)
	if known, ok := providerOf(hostOf(repaired)); err == nil && ok && u.Path == "" {
		if at, err := url.Parse(known.BaseURL); err == nil {
			repaired += at.Path
		}
	}
	return repaired + query, repairSaid(base, repaired)
}

func repairSaid(was, now string) string {
	if was == now {
		return ""
	}
	return "base_url " + was + " is taken for " + now
}

// isAzure says that host is a resource of Azure.
func isAzure(host string) bool {
	name, _ := addrOf(host)
	for _, suffix := range []string{".openai.azure.com", ".cognitiveservices.azure.com", ".services.ai.azure.com"} {
		if strings.HasSuffix(name, suffix) {
			return true
		}
	}
	return false
}

func portOf(host string) string {
	_, port, _ := net.SplitHostPort(host)
	return port
}

// addrOf splits host[:port] into its name and, if it is one, its address.
func addrOf(host string) (name string, addr netip.Addr) {
	name = host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	}
	name = strings.TrimSuffix(strings.Trim(name, "[]"), ".")
	addr, _ = netip.ParseAddr(name)
	return name, addr.Unmap()
}

// Loopback says that host is this machine.
func Loopback(host string) bool {
	name, addr := addrOf(host)
	return name == "localhost" || strings.HasSuffix(name, ".localhost") || addr.IsLoopback() || addr.IsUnspecified()
}

// isLocal says that host is this machine or one of the same network, where a
// model may load for minutes before it says a word.
func isLocal(host string) bool {
	name, addr := addrOf(host)
	if addr.IsValid() {
		return Loopback(host) || addr.IsPrivate() || addr.IsLinkLocalUnicast()
	}
	return Loopback(host) || strings.HasSuffix(name, ".local") || strings.HasSuffix(name, ".lan") ||
		name != "" && !strings.Contains(name, ".")
}
