package wire

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"syscall"

	"ibid/chains"
)

// Unreachable makes the error for a request that got no reply. ctx is the
// caller's: when it ended, its own error is the answer.
func (c *Client) Unreachable(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var known *chains.ProviderError
	if errors.As(err, &known) {
		return known
	}
	e := &chains.ProviderError{Kind: chains.ErrNetwork, Err: &cause{text: c.redact.line(unwrapURL(err).Error()), err: unwrapURL(err)}}
	var dns *net.DNSError
	var plain tls.RecordHeaderError
	var op *net.OpError
	proxy := c.Proxy()
	switch {
	case errors.Is(err, errMoved):
		e.Kind = chains.ErrConfig
		e.Message = c.redact.line(movedTo(err)) + ": set base_url to the new address."
	case silentFor(err) > 0:
		e.Kind = chains.ErrTimeout
		e.Message = fmt.Sprintf("%s did not answer within %s. Try again, or choose another model.", c.name, Seconds(silentFor(err)))
	case errors.As(err, &plain), strings.Contains(err.Error(), "HTTP response to HTTPS client"):
		e.Kind = chains.ErrConfig
		e.Message = fmt.Sprintf("%s speaks http, not https: write http:// in base_url.", c.URL.Host)
	case certificate(err) != "":
		e.Message = fmt.Sprintf("The certificate of %s is not trusted: %s.", c.URL.Host, certificate(err))
	case proxy != "":
		e.Retryable = errors.As(err, &op) && op.Op != "proxyconnect"
		e.Message = fmt.Sprintf("Cannot reach %s through the proxy %s (%s). Check %s; NO_PROXY names hosts to reach without it.", c.name, c.redact.line(proxy), c.redact.line(shortCause(err)), c.proxyVar())
	case refused(err) && Loopback(c.URL.Host):
		e.Message = fmt.Sprintf("Nothing answers at %s. Is %s running?", c.URL.Host, cmp.Or(c.Provider.Program, "the model server"))
	case errors.As(err, &dns) && dns.IsNotFound:
		e.Message = fmt.Sprintf("Cannot find %s: check the network and base_url.", c.redact.line(dns.Name))
	default:
		e.Retryable = true
		e.Message = fmt.Sprintf("Cannot reach %s (%s). Check the network and try again.", c.name, c.redact.line(shortCause(err)))
	}
	return e
}

// refused says that nothing listens on the port. Windows numbers this error in
// its own way, so the words decide as well.
func refused(err error) bool {
	return errors.Is(err, syscall.ECONNREFUSED) || strings.Contains(err.Error(), "refused")
}

// unwrapURL is err without net/http's wrapping, whose text holds the whole URL
// and so perhaps a key.
func unwrapURL(err error) error {
	for {
		inner := errors.Unwrap(err)
		if inner == nil || !strings.Contains(err.Error(), "://") {
			return err
		}
		err = inner
	}
}

func movedTo(err error) string {
	s := unwrapURL(err).Error()
	return strings.TrimSuffix(s, ": "+errMoved.Error())
}

// shortCause is the innermost, plainest part of a network error.
func shortCause(err error) string {
	var op *net.OpError
	if errors.As(err, &op) && op.Err != nil {
		return op.Err.Error()
	}
	return unwrapURL(err).Error()
}

// certificate says why a certificate is not trusted and what to do about it, ""
// if that is not what err is about.
func certificate(err error) string {
	var authority x509.UnknownAuthorityError
	var host x509.HostnameError
	var invalid x509.CertificateInvalidError
	switch {
	case errors.As(err, &authority):
		return "nobody here knows who signed it. If you know the server, add its authority to the certificates of this system, or name its PEM file in SSL_CERT_FILE"
	case errors.As(err, &host):
		return strings.TrimPrefix(host.Error(), "x509: ") + ". Check base_url"
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return strings.TrimPrefix(invalid.Error(), "x509: ") + ". Check the clock of this machine"
	case errors.As(err, &invalid):
		return strings.TrimPrefix(invalid.Error(), "x509: ")
	}
	return ""
}

// Proxy is the host of the proxy that requests go through, "" for none.
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

// proxyVar is the variable that names the proxy.
func (c *Client) proxyVar() string { return strings.ToUpper(c.URL.Scheme) + "_PROXY" }

// namedProxy is a proxy in a sentence.
func namedProxy(host string) string {
	if host == "" {
		return ""
	}
	return " " + host
}
