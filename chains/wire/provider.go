package wire

import (
	"cmp"
	_ "embed"
	"net"
	"net/netip"
	"net/url"
	"strings"
)

// Provider describes a service: its address, and the environment variable in which people keep its key. The base
// URLs are those that the services documented in November 2026.
type Provider struct {
	Name       string // lower case, as for --provider
	BaseURL    string // "" for azure, where every customer has their own
	Also       string // another host of the same service
	KeyVar     string // environment variable of the key, "" if it needs none
	Program    string // program to start, for a provider on a person's own machine
	CacheKey   string // body field that names a conversation, "header:Name" for a header, "" if there is none
	Effort     string // body field for the effort, "" for reasoning_effort
	OutsideSum bool   // it counts reasoning in total_tokens only
	Foreign    bool   // the address is not in the table: a key is sent there only because a person named it
}

// Needed reports whether the provider answers nothing without a key.
func (p Provider) Needed() bool { return p.KeyVar != "" && !p.Foreign }

// Local reports whether the provider runs on the person's own machine.
func (p Provider) Local() bool { return p.Program != "" }

//go:embed providers.txt
var providersText string

// Providers returns every provider that FindProvider knows, the local ones last.
func Providers() (all []Provider) {
	for line := range strings.Lines(providersText) {
		f := strings.Split(strings.TrimSpace(line), "|")
		if f[0][0] == '#' {
			continue
		}
		all = append(all, Provider{
			Name: f[0], BaseURL: f[1], Also: f[2], KeyVar: f[3], Program: f[4], CacheKey: f[5], Effort: f[6],
			OutsideSum: f[7] != "",
		})
	}
	return all
}

// FindProvider returns the provider with this name, in any case. It also knows google, claude, hf, z.ai and
// llama.cpp.
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

// ProviderAt returns the provider at base, with the variable of the key that may be sent there. The host decides: a
// host of the table gets its own variable and no other, and the ports of local servers get none. name is the
// person's name for the provider, or ""; it decides for a host that is not in the table. Such a host gets
// OPENAI_API_KEY, unless name has a variable of its own.
func ProviderAt(name, base string) Provider {
	named, _ := FindProvider(name)
	known, ok := providerOf(hostOf(base))
	switch {
	case ok && (!known.Local() || !named.Local()):
		return known
	case named.Local(): // on another port or machine
		return named
	case named.Name != "" && named.Name != "openai":
		named.Foreign = true
		return named
	}
	return Provider{Name: cmp.Or(named.Name, hostOf(base)), BaseURL: base, KeyVar: "OPENAI_API_KEY", Foreign: true}
}

// providerOf returns the provider of the table to which host belongs.
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

// hostOf returns host and port of a URL in lower case, "" if it has none.
func hostOf(base string) string {
	u, err := url.Parse(strings.TrimSpace(base))
	if err != nil {
		return ""
	}
	return strings.ToLower(u.Host)
}

// RepairURL corrects a base URL as people type it: it adds a missing scheme, removes the path of a request, and
// adds the path that the provider of the table has. said describes the correction, "" if there is none.
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
	if !isAzure(hostOf(repaired)) { // whose URLs have other paths
		for _, end := range []string{"/chat/completions", "/completions", "/responses", "/messages", "/models"} {
			repaired = strings.TrimSuffix(repaired, end)
		}
		u, err := url.Parse(repaired)
		if known, ok := providerOf(hostOf(repaired)); err == nil && ok && u.Path == "" {
			if at, err := url.Parse(known.BaseURL); err == nil {
				repaired += at.Path
			}
		}
	}
	if repaired != base {
		said = "base_url " + base + " is taken for " + repaired
	}
	return repaired + query, said
}

// isAzure reports whether host is a resource of Azure.
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

// addrOf splits host[:port] into its name and, if it is one, its IP address.
func addrOf(host string) (name string, addr netip.Addr) {
	name = host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	}
	name = strings.TrimSuffix(strings.Trim(name, "[]"), ".")
	addr, _ = netip.ParseAddr(name)
	return name, addr.Unmap()
}

// Loopback reports whether host is this machine.
func Loopback(host string) bool {
	name, addr := addrOf(host)
	return name == "localhost" || strings.HasSuffix(name, ".localhost") || addr.IsLoopback() || addr.IsUnspecified()
}

// isLocal reports whether host is this machine or in the same network, where a model may load for minutes before it
// answers.
func isLocal(host string) bool {
	name, addr := addrOf(host)
	return Loopback(host) || addr.IsPrivate() || addr.IsLinkLocalUnicast() ||
		strings.HasSuffix(name, ".local") || strings.HasSuffix(name, ".lan") ||
		name != "" && !strings.ContainsAny(name, ".:")
}
