module github.com/kubestep/kubestep/scenarios/release

go 1.26.0

require (
	github.com/CycloneDX/cyclonedx-go v0.10.0
	github.com/google/go-cmp v0.7.0
	github.com/google/licensecheck v0.3.1
	golang.org/x/mod v0.32.0
)
