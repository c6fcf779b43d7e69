package clusterip

import (
	"errors"
	"fmt"
	"net"
	"strings"

	netutils "k8s.io/utils/net"
)

// DefaultSubnet is the service subnet of a cluster made by kubeadm.
const DefaultSubnet = "10.96.0.0/12"

// What kube-apiserver accepts: at least eight addresses, and of IPv6 at most a /64.
const (
	minServiceAddresses = 8
	maxServiceBits      = 64
)

// Subnets parses a service subnet, in the notation of kubeadm's networking.serviceSubnet and of kube-apiserver's
// --service-cluster-ip-range: one range, or one of each IP family, separated by a comma. "" means the default.
func Subnets(text string) ([]*net.IPNet, error) {
	if text == "" {
		text = DefaultSubnet
	}
	ranges, err := netutils.ParseCIDRs(strings.Split(text, ","))
	if err != nil {
		return nil, err
	}
	if len(ranges) > 2 {
		return nil, fmt.Errorf("%d ranges, but at most one of each IP family is possible", len(ranges))
	}
	if dual, err := netutils.IsDualStackCIDRs(ranges); len(ranges) == 2 && (err != nil || !dual) {
		return nil, errors.New("both ranges have the same IP family")
	}
	for _, each := range ranges {
		ones, bits := each.Mask.Size()
		if netutils.RangeSize(each) < minServiceAddresses {
			return nil, fmt.Errorf("%s has less than %d addresses", each, minServiceAddresses)
		}
		if bits-ones > maxServiceBits {
			return nil, fmt.Errorf("%s has more than %d bits for addresses", each, maxServiceBits)
		}
	}
	return ranges, nil
}
