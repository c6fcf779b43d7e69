package kubelet

// Kind is the kind of the configuration in YAML.
const Kind = "KubeletConfiguration"

// ConfigError is a field of a KubeletConfiguration that cannot be used.
type ConfigError struct {
	// Field is its path; empty if it is not known.
	Field   string
	Problem string
	// Try is what to write instead; may be empty.
	Try string
}

// Error implements error.
func (e *ConfigError) Error() string { return Kind + ": " + e.Problem }
