package program

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"

	"github.com/kubestep/kubestep/sim/cluster/oci"
)

// Agnhost stands for agnhost, the image in which upstream's end-to-end tests run the servers that they need. Its first argument says what
// it is. Here are the webhooks; a container with another argument listens to nothing.
var Agnhost = Program{
	Name: "agnhost", Image: "agnhost:*", Listen: agnhost,
	Runs: oci.Image{
		Main: runAgnhost, Entrypoint: []string{"/agnhost"}, Command: []string{"pause"},
		Files: []string{"/agnhost", "/localhost.crt", "/localhost.key"},
	},
}

// NoNewPrivileges stands for nonewprivs, the image of a program with the setuid bit.
var NoNewPrivileges = Program{
	Name: "nonewprivs", Image: "nonewprivs:*", Runs: oci.Image{Main: noNewPrivileges, Entrypoint: []string{"/nnp"}},
}

// agnhosts are the handlers of agnhost's servers, by the argument.
var agnhosts = map[string]func() http.Handler{
	"webhook":                admissionWebhooks,
	"crd-conversion-webhook": conversionWebhook,
}

// agnhost returns the server that the arguments of a container ask for.
func agnhost(c Container) *Server {
	arguments := slices.Concat(c.Spec.Command, c.Spec.Args)
	if len(arguments) > 0 && arguments[0] == "/agnhost" {
		arguments = arguments[1:]
	}
	if len(arguments) == 0 || agnhosts[arguments[0]] == nil {
		return nil
	}
	port, err := strconv.ParseInt(cmp.Or(c.Flag("port"), "443"), 10, 32)
	if err != nil {
		return nil
	}
	return &Server{Port: int32(port), Handler: agnhosts[arguments[0]](), Certificate: c.File(c.Flag("tls-cert-file"))}
}
