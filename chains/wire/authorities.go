package wire

import (
	"crypto/x509"
	"fmt"

	"ibid/vault/ownfile"
)

// Authorities holds the certificates of the system and those of a file.
func Authorities(file string) (*x509.CertPool, error) {
	data, err := ownfile.Read(file)
	if err != nil {
		return nil, err
	}
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool()
	}
	if !pool.AppendCertsFromPEM(data) {
		return nil, fmt.Errorf("%s holds no certificate in PEM", file)
	}
	return pool, nil
}
