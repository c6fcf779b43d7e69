package expr

import (
	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/ext"
	"k8s.io/apiserver/pkg/cel/library"
)

// libraries are the functions that Kubernetes gives to validation rules and admission policies: what an author writes
// there works here. They are the options of k8s.io/apiserver/pkg/cel/environment for Kubernetes 1.36, but for authz, as
// nobody is forbidden anything here, and for its cost accounting, which makes a loop over 1,000 Pods ten times slower
// (bounds.go has ours).
func libraries() []cel.EnvOption {
	return []cel.EnvOption{
		cel.EagerlyValidateDeclarations(true), cel.DefaultUTCTimeZone(true), cel.CrossTypeNumericComparisons(true),
		cel.OptionalTypes(), ext.Strings(), ext.Sets(), ext.TwoVarComprehensions(), ext.Lists(ext.ListsVersion(3)), ext.Math(),
		library.URLs(), library.Regex(), library.Lists(), library.Quantity(), library.IP(), library.CIDR(), library.Format(),
		library.SemverLib(library.SemverVersion(1)),
	}
}

// kubernetesFunctions describe Kubernetes' libraries for the reference page.
func kubernetesFunctions() []*function {
	return described(sectionKubernetes, []Function{
		{Name: "quantity", Signature: "quantity(text)",
			Doc: "An amount such as '500m' or '64Mi'. Its methods: isLessThan(q), isGreaterThan(q), compareTo(q) (-1, 0 or 1), add(q), " +
				"sub(q), isInteger(), asInteger(), asApproximateFloat(); and sign(q). isQuantity(text) asks first.",
			Example: "pods().all(p, quantity(p.spec.containers[0].resources.requests['memory']).isLessThan(quantity('1Gi')))"},
		{Name: "ip", Signature: "ip(text)",
			Doc: "An IP address: family() is 4 or 6, and isUnspecified(), isLoopback(), isLinkLocalMulticast(), isLinkLocalUnicast() and " +
				"isGlobalUnicast() ask what it is for. isIP(text) asks first, ip.isCanonical(text) whether it is written as it should be, " +
				"and string(ip) writes it.",
			Example: "pods('app=web').all(p, ip(p.status.podIP).family() == 4)"},
		{Name: "cidr", Signature: "cidr(text)",
			Doc: "A range of addresses: containsIP(ip or text), containsCIDR(cidr or text), ip(), prefixLength(), masked(). isCIDR(text) " +
				"asks first.",
			Example: "pods().all(p, cidr('10.244.0.0/16').containsIP(p.status.podIP))"},
		{Name: "url", Signature: "url(text)",
			Doc:     "A URL: getScheme(), getHost(), getHostname(), getPort(), getEscapedPath(), getQuery(). isURL(text) asks first.",
			Example: "url(configmap('settings').data['backend']).getHostname() == 'db.shop.svc'"},
		{Name: "semver", Signature: "semver(text) or semver(text, normalize)",
			Doc: "A semantic version: major(), minor(), patch(), isLessThan(v), isGreaterThan(v), compareTo(v). " +
				"With normalize, 'v1.2' is 1.2.0. isSemver(text) and isSemver(text, normalize) ask first.",
			Example: "semver(node('node-1').status.nodeInfo.kubeletVersion, true).isGreaterThan(semver('1.34.0'))"},
		{Name: "format.named", Signature: "format.named(name)",
			Doc: "One of Kubernetes' formats, if there is one of that name; format.dns1123Label() and its like are the same. " +
				"validate(text) is none when the text has the format, or else the reasons why not. The formats: dns1123Label, " +
				"dns1123LabelPrefix, dns1123Subdomain, dns1123SubdomainPrefix, dns1035Label, dns1035LabelPrefix, qualifiedName, " +
				"labelValue, uri, uuid, byte, date, datetime.",
			Example: "pods().all(p, !format.dns1123Label().validate(p.metadata.name).hasValue())"},
		{Name: "find", Signature: "text.find(pattern) or text.findAll(pattern) or text.findAll(pattern, limit)",
			Doc:     "The first part of a text that matches a regular expression, or all parts; '' and [] when none does.",
			Example: "image(deployment('web')).find('[0-9]+$') == '2'"},
		{Name: "list.sum", Signature: "list.sum() or list.min() or list.max()",
			Doc: "The sum, the least and the greatest of a list of numbers or durations. Also isSorted(), indexOf(item) and " +
				"lastIndexOf(item).",
			Example: "replicasets('web').map(r, r.spec.replicas).max() <= 10"},
		{Name: "sets.contains", Signature: "sets.contains(list, list) or sets.equivalent(list, list) or sets.intersects(list, list)",
			Doc:     "Compares two lists as sets.",
			Example: "sets.equivalent(pods('app=web').map(p, p.spec.nodeName), ['node-1', 'node-2'])"},
	})
}
