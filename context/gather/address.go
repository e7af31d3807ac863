package gather

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"syscall"
)

// Whoever names an address chooses to what this machine connects, and what comes from there goes to a provider. So a
// page may come from this machine or a private network only if a person named its host. Everything else, such as
// hosts to which a page redirects, must be public. What counts is the address to which a connection is made, after
// the name was resolved, since the same name can have another address a moment later.

var errPrivate = errors.New("its address is on this machine or in a private network")

// addressGuard is the transport for one page and its redirects.
type addressGuard struct {
	isPublic func(netip.AddrPort) bool
	isNamed  bool // a person named the host of the page, which need not be public

	mu            sync.Mutex
	home          string // the host of the page before any redirect
	homeConnected bool
	homeIsPublic  bool // the first connection to home led to a public address, so that all others have to
}

// RoundTrip implements http.RoundTripper.
func (g *addressGuard) RoundTrip(r *http.Request) (*http.Response, error) {
	isRedirected := r.Response != nil
	if !isRedirected {
		g.setHome(r.URL.Hostname())
	}
	transport := &http.Transport{
		TLSHandshakeTimeout: pageTimeout, ForceAttemptHTTP2: true, DisableKeepAlives: true, DialContext: g.dial,
	}
	if g.isNamed {
		proxy, err := http.ProxyFromEnvironment(r)
		if err == nil && proxy != nil {
			err = g.judgeProxied(r)
			transport.DialContext, transport.Proxy = nil, http.ProxyURL(proxy)
		}
		if err != nil {
			return nil, err
		}
	}
	res, err := transport.RoundTrip(r)
	switch {
	case !errors.Is(err, errPrivate):
		return res, err
	case isRedirected:
		return nil, leadsToPrivate(r)
	}
	return nil, errPrivate
}

// setHome begins a page.
func (g *addressGuard) setHome(host string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.home, g.homeConnected, g.homeIsPublic = host, false, false
}

func leadsToPrivate(r *http.Request) error {
	return fmt.Errorf("the page leads to %s: %w", r.URL.Redacted(), errPrivate)
}

// dial connects to a host, unless the address that it has now is not allowed.
func (g *addressGuard) dial(ctx context.Context, network, address string) (net.Conn, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	mayBePrivate := g.isHome(host)
	dialer := &net.Dialer{Timeout: pageTimeout, Control: func(_, address string, _ syscall.RawConn) error {
		to, err := netip.ParseAddrPort(address)
		if err != nil || !mayBePrivate && !g.isPublic(to) {
			return errPrivate
		}
		return nil
	}}
	connection, err := dialer.DialContext(ctx, network, address)
	if err == nil && mayBePrivate {
		g.connected(connection.RemoteAddr().String())
	}
	return connection, err
}

// isHome reports whether a host is the one that a person named, and may have a private address: if it had a public
// one at first, a private one is not what the person meant.
func (g *addressGuard) isHome(host string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.isNamed && strings.EqualFold(host, g.home) && !g.homeIsPublic
}

// connected notes the kind of the first address of home.
func (g *addressGuard) connected(address string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if to, err := netip.ParseAddrPort(address); err == nil && !g.homeConnected {
		g.homeConnected, g.homeIsPublic = true, g.isPublic(to)
	}
}

// judgeProxied judges a request that a proxy will make, by the addresses that the host has here. A proxy is for pages
// that a person named; behind it only their other hosts are judged.
func (g *addressGuard) judgeProxied(r *http.Request) error {
	host := r.URL.Hostname()
	if strings.EqualFold(host, g.home) {
		return nil
	}
	addresses, err := net.DefaultResolver.LookupNetIP(r.Context(), "ip", host)
	if err != nil {
		return fmt.Errorf("the page leads to %s, whose address cannot be judged behind a proxy: attach that one",
			r.URL.Redacted())
	}
	for _, a := range addresses {
		if !g.isPublic(netip.AddrPortFrom(a, 0)) {
			return leadsToPrivate(r)
		}
	}
	return nil
}

func isPublicPort(a netip.AddrPort) bool { return isPublic(a.Addr()) }

// reservedNetworks are the networks without public hosts, besides those that netip knows, and networks whose
// addresses contain another address. 168.63.129.16 answers for the host of a virtual machine at Azure.
var reservedNetworks = networks(`
0.0.0.0/8 100.64.0.0/10 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 240.0.0.0/4 168.63.129.16/32
100::/64 2001::/23 2001:db8::/32 2002::/16 3fff::/20 5f00::/16 64:ff9b:1::/48`)

var (
	nat64   = netip.MustParsePrefix("64:ff9b::/96") // the last 32 bits are an IPv4 address
	unicast = netip.MustParsePrefix("2000::/3")     // the allocated part of IPv6
)

func networks(list string) (all []netip.Prefix) {
	for s := range strings.FieldsSeq(list) {
		all = append(all, netip.MustParsePrefix(s))
	}
	return all
}

// isPublic reports whether an address is in the public network.
func isPublic(a netip.Addr) bool {
	if a = a.Unmap(); nat64.Contains(a) {
		b := a.As16()
		a = netip.AddrFrom4([4]byte(b[12:]))
	}
	if a.Zone() != "" || !a.IsGlobalUnicast() || a.IsPrivate() || a.Is6() && !unicast.Contains(a) {
		return false
	}
	return !slices.ContainsFunc(reservedNetworks, func(p netip.Prefix) bool { return p.Contains(a) })
}
