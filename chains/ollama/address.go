package ollama

import (
	"cmp"
	"net"
	"net/url"
	"strings"
)

// Address returns the URL at which Ollama listens: that of OLLAMA_HOST, parsed as Ollama's own programs do.
func Address(getenv func(string) string) string {
	port, said := "11434", strings.Trim(strings.TrimSpace(getenv("OLLAMA_HOST")), `"'`)
	if said == "" {
		said = "127.0.0.1:" + port + "/v1"
	}
	scheme, host, ok := strings.Cut(said, "://")
	if ok { // a URL without a port has the default one of its scheme
		port = map[string]string{"http": "80", "https": "443"}[scheme]
	} else {
		scheme, host = "http", said
	}
	host, path, _ := strings.Cut(host, "/")
	name, at, err := net.SplitHostPort(host)
	if err != nil {
		name, at = strings.Trim(host, "[]"), port
	}
	if name == "" || name == "0.0.0.0" || name == "::" { // addresses to listen at, to which nobody can connect
		name = "127.0.0.1"
	}
	u := url.URL{
		Scheme: scheme, Host: net.JoinHostPort(name, cmp.Or(at, "11434")), Path: strings.TrimRight("/"+path, "/"),
	}
	return u.String()
}
