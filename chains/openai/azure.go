package openai

import (
	"net/url"
	"strings"
)

// azureVersion is the api-version for deployments whose address has none.
const azureVersion = "2024-10-21"

// azureAddress parses the addresses that Azure's portal shows for a resource, a project, a deployment, or an
// interface of a resource. base is the beginning of request URLs. deployment and version come from the address;
// version is "" below /openai/v1, where requests need none.
func azureAddress(u *url.URL) (base, deployment, version string) {
	root := u.Scheme + "://" + u.Host
	before, path, _ := strings.Cut(u.Path+"/", "/openai/")
	root += strings.TrimRight(before, "/")
	foundry := strings.HasSuffix(strings.ToLower(u.Hostname()), ".services.ai.azure.com")
	if foundry {
		root = u.Scheme + "://" + u.Host // projects share the interface of their resource
	}
	if rest, ok := strings.CutPrefix(path, "deployments/"); ok {
		deployment, _, _ = strings.Cut(rest, "/")
	} else if foundry || strings.HasPrefix(path, "v1/") {
		return root + "/openai/v1", "", ""
	}
	if version = u.Query().Get("api-version"); version == "" {
		version = azureVersion
	}
	return root, deployment, version
}
