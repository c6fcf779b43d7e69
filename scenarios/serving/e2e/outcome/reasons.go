package outcome

// Reason is why tests do not pass.
type Reason struct {
	// Name is what expected.txt has.
	Name string
	// Text is the thing that is missing, in one sentence.
	Text string
}

// Reasons are all of them.
var Reasons = []Reason{
	{"program", "A container has to run a program that kubestep does not have: agnhost's with TLS, or the images of the guestbook and of the update demo."},
	{"dns", "A container has to run dig or getent, to find names in the DNS of the cluster."},
	{"udp", "A container has to answer over UDP, or at a port of its node."},
	{"apiserver", "A container has to reach the API server."},
	{"image", "A container has to read a file of an image."},
	{"process", "kubectl has to run as a process of the machine, or to attach to a container: such a process is not in virtual time."},
	{"websocket", "The log of a container has to be sent over a WebSocket."},
	{"port", "kubectl has to listen on a port of the machine: a process that waits for a connection is not in virtual time."},
}
