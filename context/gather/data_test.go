package gather

import (
	"strings"
	"testing"
)

func TestEmbeddedData(t *testing.T) {
	const text = "one ![a](data:image/png;base64,QUJD)\n\n```\n![b](data:image/png;base64,QUJE)\n```\n" +
		"![](<data:image/gif;base64,QUJF>) [link](data:image/png;base64,QUJG) ![](data:text/plain;base64,QUJD)\n"
	var got []string
	for _, e := range embeddedData(text) {
		got = append(got, e.data.Placeholder())
	}
	if strings.Join(got, ", ") != "data:image/png;size=3;sha256=d9cae0dbdbf078b2, data:image/gif;size=3;sha256=cdfee2ebec835510" {
		t.Errorf("%q", got)
	}
}
