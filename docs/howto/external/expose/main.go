// Expose gives each Deployment with the annotation example.com/expose a Service. It is written against client-go v0.28, as an
// operator that nobody has brought up to date.
package main

import (
	"github.com/kubestep/kubestep/controllers/external/ctrlmain"
	_ "github.com/kubestep/kubestep/controllers/external/ctrlmain/ctrlsync" // shows the syncs in the trace
)

func main() { ctrlmain.Main(inKubestep(ctrlmain.Host)) }
