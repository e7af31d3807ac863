package wire

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"strings"
	"syscall"
	"time"

	"ibid/chains"
)

// Unreachable returns the error for a request without a reply. If ctx, the caller's context, has ended, that is its
// error.
func (c *Client) Unreachable(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if known := ErrorOf(err); known.Kind != "" {
		return known
	}
	e := &chains.ProviderError{Kind: chains.ErrNetwork, Err: errors.New(c.Line(unwrapURL(err).Error()))}
	var (
		to        redirectError
		quiet     silence
		plain     tls.RecordHeaderError
		authority x509.UnknownAuthorityError
		host      x509.HostnameError
		invalid   x509.CertificateInvalidError
		op        *net.OpError
		dns       *net.DNSError
	)
	why := shortCause(err)
	switch {
	case errors.As(err, &to):
		e.Kind, why = chains.ErrConfig, string(to)
		e.Message = "{name} sends requests on to {why}: set base_url to the new address."
	case errors.As(err, &quiet):
		e.Kind, why = chains.ErrTimeout, Seconds(time.Duration(quiet))
		e.Message = "{name} did not answer within {why}. Try again, or choose another model."
	case strings.Contains(err.Error(), "net/http: invalid header"):
		e.Kind, e.Message = chains.ErrConfig, "Nothing can be sent to {name} ({why}). Check its key and headers."
	case errors.As(err, &plain), strings.Contains(err.Error(), "HTTP response to HTTPS client"):
		e.Kind, e.Message = chains.ErrConfig, "{host} speaks http, not https: write http:// in base_url."
	case strings.Contains(err.Error(), "tls: certificate required"):
		e.Kind, e.Message = chains.ErrConfig, "{host} wants a certificate of yours: set cert_file and key_file."
	case errors.As(err, &authority):
		e.Message = untrustedCertificate +
			"nobody here knows who signed it. If you know the server, add its authority to the certificates of this system, or name its PEM file in SSL_CERT_FILE."
	case errors.As(err, &host), errors.As(err, &invalid):
		_, why, _ = strings.Cut(why, "x509: ")
		e.Message = untrustedCertificate + "{why}. Check the clock of this machine, and base_url."
	case c.Proxy() != "":
		e.Retryable = errors.As(err, &op) && op.Op != "proxyconnect"
		e.Message = "Cannot reach {name} through the proxy{ proxy} ({why}). Check {proxy var}; NO_PROXY names hosts to reach without it."
	case isRefused(err) && Loopback(c.URL.Host):
		e.Message, why = "Nothing answers at {host}. Is {why} running?", cmp.Or(c.Provider.Program, "the model server")
	case errors.As(err, &dns) && dns.IsNotFound:
		e.Message, why = "Cannot find {why}: check the network and base_url.", dns.Name
	default:
		e.Retryable, e.Message = true, "Cannot reach {name} ({why}). Check the network and try again."
	}
	e.Message = c.fillLine(e.Message, "{why}", c.Line(why))
	return e
}

const untrustedCertificate = "The certificate of {host} is not trusted: "

// isRefused reports whether nothing listens on the port. Windows has its own number for this error, so the text
// counts as well.
func isRefused(err error) bool {
	return errors.Is(err, syscall.ECONNREFUSED) || strings.Contains(err.Error(), "refused")
}

// unwrapURL removes net/http's wrapping from err, because its text contains the whole URL and perhaps a key.
func unwrapURL(err error) error {
	for {
		inner := errors.Unwrap(err)
		if inner == nil || !strings.Contains(err.Error(), "://") {
			return err
		}
		err = inner
	}
}

// shortCause returns the innermost text of a network error.
func shortCause(err error) string {
	var op *net.OpError
	if errors.As(err, &op) && op.Err != nil {
		return op.Err.Error()
	}
	return unwrapURL(err).Error()
}
