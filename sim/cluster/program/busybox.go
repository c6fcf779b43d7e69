package program

import (
	"slices"

	"github.com/kubestep/kubestep/sim/cluster/oci"
	"github.com/kubestep/kubestep/sim/cluster/oci/busybox"
)

// Busybox stands for busybox, the image with a shell and its commands.
var Busybox = Program{Name: "busybox", Image: "busybox:*", Runs: oci.Image{Main: busybox.Run, Command: []string{"sh"}}}

// runAgnhost is agnhost: its own commands, and those of the image of alpine that it is made from.
func runAgnhost(p *oci.Process) int {
	if p.Args[0] != "/agnhost" && p.Args[0] != "agnhost" && p.Args[0] != "/agnhost-2" {
		return busybox.Run(p)
	}
	if len(p.Args) < 2 || agnhostCommands[p.Args[1]] == nil {
		return complain(p, "unknown command %q", slices.Concat(p.Args, []string{""})[1])
	}
	return agnhostCommands[p.Args[1]](p)
}
