package connect

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"log/slog"
	"math/big"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestKeyAbroad: wherever a key is from, that it goes to another host than the one that it
// is for is said, once; at home nothing is said.
func TestKeyAbroad(t *testing.T) {
	const home, abroad = "https://models.example/v1", "https://gateway.example/v1"
	for name, tt := range map[string]struct {
		settings *Settings // of work, nil if it is not configured
		provider string
		env      map[string]string
		stored   bool
		said     string // where the key is from
	}{
		"key_env":            {&Settings{BaseURL: home, KeyEnv: "WORK_KEY"}, "work", map[string]string{"WORK_KEY": "k"}, false, "WORK_KEY"},
		"key_command":        {&Settings{BaseURL: home, KeyCommand: "echo k"}, "work", nil, false, "key_command"},
		"kept":               {&Settings{BaseURL: home}, "work", nil, true, "keys.toml"},
		"kept for a service": {nil, "groq", nil, true, "keys.toml"},
		"of a service":       {nil, "groq", map[string]string{"GROQ_API_KEY": "k"}, false, "GROQ_API_KEY"},
		"of the table":       {&Settings{}, "groq", nil, true, "keys.toml"},
	} {
		t.Run(name, func(t *testing.T) {
			if tt.settings != nil && tt.settings.KeyCommand != "" {
				if _, err := exec.LookPath("echo"); err != nil {
					t.Skip(err)
				}
			}
			c := Config{}
			if tt.settings != nil {
				c.Providers = map[string]Settings{tt.provider: *tt.settings}
			}
			all := newTestProviders(t, c, tt.env, Flags{Provider: tt.provider})
			if tt.stored {
				if _, err := all.Keys.Put(t.Context(), tt.provider, "k"); err != nil {
					t.Fatal(err)
				}
			}
			for _, at := range []struct{ base, want string }{
				{"", ""},
				{abroad, "the key in " + tt.said + " goes to gateway.example, the address that you named; this is said once"},
				{abroad, ""},
			} {
				all.Flags.BaseURL = at.base
				e, _, err := all.selection(t.Context()).pick()
				e = e.ready(t.Context())
				if got := strings.Join(all.remarks(&e), "; "); err != nil || e.key != "k" || got != at.want || e.own != (at.base == "" && tt.said != "GROQ_API_KEY") {
					t.Errorf("at %q: %q of %+v, %v", at.base, got, e, err)
				}
			}
		})
	}
}

// TestKeyCommandAgain: a key that lived an hour is asked for again, and the request goes
// again.
func TestKeyCommandAgain(t *testing.T) {
	if _, err := exec.LookPath("cat"); err != nil {
		t.Skip(err)
	}
	file := filepath.Join(t.TempDir(), "key")
	write := func(key string) {
		if err := os.WriteFile(file, []byte(key), 0o600); err != nil {
			t.Error(err)
		}
	}
	write("old")
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer new" {
			write("new")
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		_, _ = w.Write([]byte(`{"data":[{"id":"m"}]}`)) // the test fails without it
	}))
	t.Cleanup(s.Close)
	all := newTestProviders(t, Config{Providers: map[string]Settings{"work": {Kind: "openai", BaseURL: s.URL + "/v1", KeyCommand: "cat " + file}}}, nil, Flags{Provider: "work"})
	list, _, err := all.Models(t.Context())
	if err != nil || list[0].Err != nil || len(list[0].Models) != 1 {
		t.Errorf("%+v, %v", list, err)
	}
}

// TestCertificate: a server that wants a certificate is shown the one of the settings,
// whose key may be in the same file.
func TestCertificate(t *testing.T) {
	secret, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	noError(t, err)
	about := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "someone"}, NotAfter: time.Now().Add(time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, about, about, secret.Public(), secret)
	noError(t, err)
	plain, err := x509.MarshalPKCS8PrivateKey(secret)
	noError(t, err)
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write([]byte(`{"data":[{"id":"` + r.TLS.PeerCertificates[0].Subject.CommonName + `"}]}`)) // the test fails without it
	}))
	s.TLS = &tls.Config{ClientAuth: tls.RequireAnyClientCert}
	s.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	s.StartTLS()
	t.Cleanup(s.Close)
	dir := t.TempDir()
	block := func(kind string, der []byte) string {
		return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}))
	}
	cert, key := block("CERTIFICATE", der), block("PRIVATE KEY", plain)
	for name, text := range map[string]string{"ca.pem": block("CERTIFICATE", s.Certificate().Raw), "cert.pem": cert, "key.pem": key, "both.pem": cert + key} {
		noError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	for files, want := range map[string]string{"cert.pem key.pem": "", "both.pem": "", "": "certificate", "cert.pem": "cert_file of work", "none.pem": "cert_file of work"} {
		cert, key, _ := strings.Cut(files, " ")
		all := newTestProviders(t, Config{Providers: map[string]Settings{"work": {Kind: "openai", BaseURL: s.URL + "/v1", CAFile: "ca.pem", CertFile: cert, KeyFile: key}}}, nil, Flags{Provider: "work"})
		all.Path = func(name string) string { return filepath.Join(dir, name) }
		list, _, err := all.Models(t.Context())
		if err == nil {
			err = list[0].Err
		}
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) || err == nil && list[0].Models[0].ID != "someone" {
			t.Errorf("%q: %+v, %v", files, list, err)
		}
	}
}
