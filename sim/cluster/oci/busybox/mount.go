package busybox

import (
	"fmt"

	"github.com/kubestep/kubestep/sim/cluster/oci"
)

// mount lists what is mounted; with -t, that of a type. It mounts nothing.
func mount(p *oci.Process) int {
	set := flags(p)
	kind := set.StringP("type", "t", "", "")
	words, ok := parse(p, set)
	if !ok || len(words) > 0 {
		return complain(p, "permission denied (are you root?)")
	}
	show := func(device, at, of, options string) {
		if *kind == "" || *kind == of {
			fmt.Fprintf(p.Stdout, "%s on %s type %s (%s)\n", device, at, of, options)
		}
	}
	for _, m := range p.Container.Files.Mounts() {
		device, of, options := "/dev/vda", "ext4", "rw"
		switch {
		case m.At == "/":
			device, of = "overlay", "overlay"
		case m.Memory:
			device, of = "tmpfs", "tmpfs"
		}
		if m.ReadOnly {
			options = "ro"
		}
		show(device, m.At, of, options)
	}
	show("cgroup", "/sys/fs/cgroup", "cgroup2", "ro,nosuid,nodev,noexec,relatime")
	return 0
}
