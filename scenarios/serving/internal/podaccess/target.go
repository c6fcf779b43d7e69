package podaccess

// Target is a subresource of a Pod.
type Target struct{ Namespace, Pod, Subresource string }
