//go:build !linux

package kubelet

// Configuration is the kubelet's component configuration, which this program does not have.
type Configuration struct{}

// MeasureVolumes does nothing: there is no kubelet.
func MeasureVolumes(*Configuration) {}

// NewConfig returns an empty configuration.
func NewConfig([]byte) (*Configuration, error) { return &Configuration{}, nil }
