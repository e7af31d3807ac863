package wire

import (
	"cmp"
	"net/http"
	"net/url"
	"os"
	"strings"

	"golang.org/x/net/http/httpproxy"
)

// proxyFromEnvironment returns the function that chooses the proxy of a request by the environment, and the
// variable that names the one for a scheme. ALL_PROXY applies to schemes without a variable of their own.
func proxyFromEnvironment(scheme string) (of func(*http.Request) (*url.URL, error), variable string) {
	cfg, all := httpproxy.FromEnvironment(), cmp.Or(os.Getenv("ALL_PROXY"), os.Getenv("all_proxy"))
	variable = strings.ToUpper(scheme) + "_PROXY"
	if all != "" && map[string]string{"http": cfg.HTTPProxy, "https": cfg.HTTPSProxy}[scheme] == "" {
		variable = "ALL_PROXY"
	}
	if rest, ok := strings.CutPrefix(all, "socks://"); ok { // as desktops write it
		all = "socks5://" + rest
	}
	cfg.HTTPProxy, cfg.HTTPSProxy = cmp.Or(cfg.HTTPProxy, all), cmp.Or(cfg.HTTPSProxy, all)
	at := cfg.ProxyFunc()
	return func(r *http.Request) (*url.URL, error) { return at(r.URL) }, variable
}

// Proxy returns the host of the proxy for requests, "" if there is none.
func (c *Client) Proxy() string {
	t, ok := c.http.Transport.(*http.Transport)
	if !ok || t.Proxy == nil {
		return ""
	}
	u, err := t.Proxy(&http.Request{URL: c.URL})
	if err != nil || u == nil {
		return ""
	}
	return u.Host
}
