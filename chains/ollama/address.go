package ollama

import (
	"cmp"
	"net"
	"net/url"
	"strings"
)

// Address is where Ollama listens: where OLLAMA_HOST says, as its own
// programs read it.
func Address(getenv func(string) string) string {
	port, said := "11434", strings.Trim(strings.TrimSpace(getenv("OLLAMA_HOST")), `"'`)
	if said == "" {
		said = "127.0.0.1:" + port + "/v1"
	}
	scheme, host, ok := strings.Cut(said, "://")
	if ok { // a URL without a port has the one of its scheme
		port = map[string]string{"http": "80", "https": "443"}[scheme]
	} else {
		scheme, host = "http", said
	}
	host, path, _ := strings.Cut(host, "/")
	name, at, err := net.SplitHostPort(host)
	if err != nil {
		name, at = strings.Trim(host, "[]"), port
	}
	if name == "" || name == "0.0.0.0" || name == "::" { // where a server listens, and nobody can go
		name = "127.0.0.1"
	}
	u := url.URL{Scheme: scheme, Host: net.JoinHostPort(name, cmp.Or(at, "11434")), Path: strings.TrimRight("/"+path, "/")}
	return u.String()
}
