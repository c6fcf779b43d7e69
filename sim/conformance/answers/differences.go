package answers

// Differences are all that are known, most of them about what an API server does that has nodes.
var Differences = []Difference{
	{[]Front{InProcess}, `connect pods .*`,
		"the storages behind which is a kubelet are missing: log, exec, attach, portforward and proxy"},
	{[]Front{Served}, `(create|update|update status) widgets (Content-Type application/vnd.kubernetes.protobuf|in protobuf)`,
		"kube-apiserver panics and breaks the connection off; the session answers 500"},
	{[]Front{Typed}, `patch (merge|strategic|json) secrets (invalid: base64|unknown field fieldValidation=Strict)`,
		"the message shows a hash in the place of the Secret, since it goes into logs, Events and conditions"},
}
