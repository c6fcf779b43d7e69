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
	{"output", "A container has to run a command, such as one that reads its environment or a volume, and to print the result into its log."},
	{"exit", "The program of a container has to end by itself, with an exit code and a termination message of its own."},
	{"exec", "A command has to run in a container that is running already, as with kubectl exec, or somebody has to attach to one."},
	{"server", "A server in a container has to answer, at the address of its Pod, of a Service, of a node, or through the proxy of the API server."},
	{"dns", "A container has to resolve names with the DNS of the cluster."},
	{"probe", "The kubelet has to probe a container, and to report it as not ready or to restart it."},
	{"hook", "The kubelet has to run the lifecycle hooks of a container."},
	{"init", "The kubelet has to run init containers before the others, and to report them."},
	{"ephemeral", "The kubelet has to run ephemeral containers."},
	{"mount", "The kubelet has to refuse to start a container whose volume is missing or whose path in a volume is invalid."},
	{"resize", "The kubelet has to report the resources of running containers, and to change them."},
	{"generation", "The kubelet has to report the generation of the Pod that it has seen, status.observedGeneration."},
	{"admit", "The kubelet has to refuse a Pod when it arrives, because of a host port that is taken."},
	{"port", "kubectl has to listen on a port of the machine: a process that waits for a connection is not in virtual time."},
}
