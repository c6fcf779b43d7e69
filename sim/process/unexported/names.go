//go:build !kubernetes_before_1_36

package unexported

// SourceFactory is the field of the plugins of webhooks and policies with the function that makes their source.
const SourceFactory = "apiSourceFactory"
