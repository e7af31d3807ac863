package wire

import (
	"crypto/x509"
	"fmt"

	"ibid/vault/ownfile"
)

// Trust adds the certificates in a PEM file to those of the system, as authorities for Options.
func (o *Options) Trust(file string) error {
	data, err := ownfile.Read(file)
	if err != nil {
		return err
	}
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool()
	}
	if !pool.AppendCertsFromPEM(data) {
		return fmt.Errorf("%s holds no certificate in PEM", file)
	}
	o.Authorities = pool
	return nil
}
