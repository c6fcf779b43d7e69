package exact

import (
	"context"
	"net"
)

// Machine is what a program of a node sees in place of the machine on which the simulation runs. Each function says whether its caller
// is such a program; a program of the machine itself is answered by the machine.
type Machine struct {
	// Dial opens a connection.
	Dial func(ctx context.Context, network, address string) (conn net.Conn, ours bool, err error)
	// Addresses are those of the interfaces of the network.
	Addresses func() (addresses []net.Addr, ours bool)
	// File is where a file is on the machine. Errors and names of opened files keep its name on the node.
	File func(name string) string
	// Exit is called before the process exits. If it ends the calling goroutine, as runtime.Goexit does, the process continues.
	Exit func(code int)
}

// SetMachine makes the packages net, os and syscall of this process ask m, and returns the function that reverts this. Nobody may use
// a network or open a file meanwhile. It reports false in the stock build, which cannot do it.
func SetMachine(m Machine) (restore func(), done bool) { return setMachine(m) }
