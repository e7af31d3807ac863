package wire

import (
	"cmp"
	"context"
	"crypto/tls"
	"fmt"
	"net/http/httptrace"
	"strings"
	"time"
)

// Trace returns a context that traces the connection of a request. said describes the first connection, "" if there
// was none.
func (c *Client) Trace(ctx context.Context) (traced context.Context, said func() string) {
	began, made := time.Now(), make(chan string, 1)
	traced = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: func(i httptrace.GotConnInfo) {
		way := fmt.Sprintf("connected to %s in %d ms", i.Conn.RemoteAddr(), time.Since(began).Milliseconds())
		if proxy := c.Proxy(); proxy != "" {
			way = "through the proxy " + proxy + ", " + way
		}
		if c, ok := i.Conn.(*tls.Conn); ok {
			s := c.ConnectionState()
			cert := s.PeerCertificates[0]
			way += fmt.Sprintf("; %s, certificate of %s by %s until %s", tls.VersionName(s.Version),
				cmp.Or(cert.Subject.CommonName, strings.Join(cert.DNSNames, ", ")),
				cmp.Or(strings.Join(cert.Issuer.Organization, ", "), cert.Issuer.CommonName),
				cert.NotAfter.Format(time.DateOnly))
		}
		select {
		case made <- way:
		default: // only the first of several requests counts
		}
	}})
	return traced, func() string {
		select {
		case way := <-made:
			return way
		default:
			return ""
		}
	}
}
