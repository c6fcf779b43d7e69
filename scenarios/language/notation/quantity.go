package notation

import (
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubestep/kubestep/scenarios/language/source"
)

// Quantity is an amount in Kubernetes' notation: 500m, 2, 1Gi.
type Quantity string

// ParseQuantity reads 500m, 2 or 1Gi.
func ParseQuantity(text string) (Quantity, error) {
	quantity, err := resource.ParseQuantity(text)
	switch {
	case err != nil:
		return "", source.Problem("500m, 2 or 1Gi", "invalid quantity %q", text)
	case quantity.Sign() < 0:
		return "", source.Problem("0", "invalid quantity %q: must not be negative", text)
	}
	return Quantity(text), nil
}
