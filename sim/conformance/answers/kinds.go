package answers

import (
	"net/http"
	"strings"
)

// kind is a kind of object with what the rows do to it.
type kind struct {
	// api is the path of the group and the version, such as /apis/apps/v1.
	api, plural string
	// cluster means that objects are in no namespace.
	cluster bool
	// custom means that the kind is defined by a definition: it has no protobuf and no strategic merge patches.
	custom bool
	// body is an object. It is $NAME and has the label row: $NAME.
	body string
	// merge changes body, as a merge patch that is a strategic merge patch, too. jsonPatch does, and field is a part of body that each
	// of its kind has: unknown and duplicate fields come before it.
	merge, jsonPatch, field string
	// bad are fields that do not validate, as merge patches of body, by names.
	bad map[string]string
	// fixed are fields that cannot change, as merge patches of body, by names.
	fixed map[string]string
	// newStatus is a merge patch of the status, "" if there is none; scale means that the kind has this subresource.
	newStatus string
	scale     bool
	// all means that the kind has every row; most other rows depend on no kind.
	all bool
}

// kindOf and versionOf are what the body says.
func (k *kind) kindOf() string    { return between(k.body, `"kind":"`, `"`) }
func (k *kind) versionOf() string { return between(k.body, `"apiVersion":"`, `"`) }

func between(text, before, after string) string {
	_, text, _ = strings.Cut(text, before)
	text, _, _ = strings.Cut(text, after)
	return text
}

func (k *kind) collection() string {
	if k.cluster {
		return k.api + "/" + k.plural
	}
	return k.api + "/namespaces/$NS/" + k.plural
}

func (k *kind) path() string { return k.collection() + "/$NAME" }

// create is the request that makes an object.
func (k *kind) create() Request {
	return Request{Method: http.MethodPost, Path: k.collection(), ContentType: asJSON, Body: k.body}
}

// replaced is the body with a text in the place of another one.
func (k *kind) replaced(old, text string) string {
	if !strings.Contains(k.body, old) {
		panic("answers: " + k.body + " has no " + old)
	}
	return strings.Replace(k.body, old, text, 1)
}

// named begins the metadata of every body.
const named = `"metadata":{"name":"$NAME","labels":{"row":"$NAME"}}`

const (
	containers = `"containers":[{"name":"c","image":"i"}]`
	template   = `"selector":{"matchLabels":{"row":"$NAME"}},"template":{"metadata":{"labels":{"row":"$NAME"}},"spec":{` + containers + `}}`
)

func object(version, kind, rest string) string {
	return `{"apiVersion":"` + version + `","kind":"` + kind + `",` + named + rest + `}`
}

var widgets = &kind{
	api: "/apis/answers.kubestep.dev/v1", plural: "widgets", custom: true, all: true,
	body:  object("answers.kubestep.dev/v1", "Widget", `,"spec":{"size":3,"replicas":2,"parts":[{"name":"a","value":"1"}]}`),
	merge: `{"spec":{"size":4}}`, jsonPatch: `[{"op":"replace","path":"/spec/size","value":4}]`, field: `"size":`,
	bad: map[string]string{
		"required": `{"spec":{"size":null}}`, "enum": `{"spec":{"color":"green"}}`, "minimum": `{"spec":{"size":0}}`,
		"type": `{"spec":{"size":"large"}}`, "rule": `{"spec":{"size":100}}`, "list map": `{"spec":{"parts":[{"name":"a"},{"name":"a"}]}}`,
	},
	newStatus: `{"status":{"phase":"Ready","replicas":1}}`, scale: true,
}

var pods = &kind{
	api: "/api/v1", plural: "pods",
	body: object("v1", "Pod", `,"spec":{"schedulerName":"none","serviceAccountName":"default","automountServiceAccountToken":false,`+
		`"terminationGracePeriodSeconds":0,`+containers+`}`),
	merge: `{"metadata":{"annotations":{"a":"b"}}}`, jsonPatch: `[{"op":"add","path":"/metadata/annotations","value":{"a":"b"}}]`,
	field: `"containers":`,
	bad: map[string]string{
		"no containers": `{"spec":{"containers":null}}`, "image": `{"spec":{"containers":[{"name":"c","image":" "}]}}`,
		"names":         `{"spec":{"containers":[{"name":"c","image":"i"},{"name":"c","image":"i"}]}}`,
		"restartPolicy": `{"spec":{"restartPolicy":"Sometimes"}}`,
		"labels":        `{"metadata":{"labels":{"a b":"c"}}}`, "type": `{"spec":{"containers":{}}}`,
		"volume":  `{"spec":{"volumes":[{"name":"v"},{"name":"v"}]}}`,
		"request": `{"spec":{"containers":[{"name":"c","image":"i","resources":{"requests":{"cpu":"2"},"limits":{"cpu":"1"}}}]}}`,
		"account": `{"spec":{"serviceAccountName":"none"}}`, "priority": `{"spec":{"priorityClassName":"none"}}`,
		"runtime": `{"spec":{"runtimeClassName":"none"}}`,
	},
	fixed: map[string]string{"node": `{"spec":{"nodeName":"n"}}`, "restartPolicy": `{"spec":{"restartPolicy":"Never"}}`,
		"name": `{"metadata":{"name":"other"}}`},
	newStatus: `{"status":{"phase":"Running"}}`,
}

var deployments = &kind{
	api: "/apis/apps/v1", plural: "deployments", all: true,
	body:  object("apps/v1", "Deployment", `,"spec":{"replicas":2,`+template+`}`),
	merge: `{"spec":{"paused":true}}`, jsonPatch: `[{"op":"replace","path":"/spec/replicas","value":3}]`, field: `"replicas":`,
	bad: map[string]string{
		"selector": `{"spec":{"selector":{"matchLabels":{"row":"other"}}}}`, "no selector": `{"spec":{"selector":null}}`,
		"replicas": `{"spec":{"replicas":-1}}`,
		"type":     `{"spec":{"replicas":"two"}}`, "strategy": `{"spec":{"strategy":{"type":"Recreate","rollingUpdate":{"maxSurge":1}}}}`,
		"zero":     `{"spec":{"strategy":{"rollingUpdate":{"maxSurge":0,"maxUnavailable":0}}}}`,
		"template": `{"spec":{"template":{"spec":{"restartPolicy":"Never"}}}}`,
	},
	fixed: map[string]string{"selector": `{"spec":{"selector":{"matchLabels":{"row":"$NAME","a":"b"}},` +
		`"template":{"metadata":{"labels":{"a":"b"}}}}}`},
	newStatus: `{"status":{"replicas":2,"updatedReplicas":1}}`, scale: true,
}

var namespaces = &kind{
	api: "/api/v1", plural: "namespaces", cluster: true, body: object("v1", "Namespace", `,"spec":{}`),
	merge: `{"metadata":{"annotations":{"a":"b"}}}`, jsonPatch: `[{"op":"add","path":"/metadata/annotations","value":{"a":"b"}}]`,
	field:     `"spec":`,
	bad:       map[string]string{"finalizer": `{"spec":{"finalizers":["none"]}}`},
	newStatus: `{"status":{"conditions":[{"type":"T","status":"True"}]}}`,
}

// kinds are those of the rows.
var kinds = []*kind{
	{
		api: "/api/v1", plural: "configmaps", all: true, body: object("v1", "ConfigMap", `,"data":{"a":"b"}`),
		merge: `{"data":{"b":"c"}}`, jsonPatch: `[{"op":"add","path":"/data/b","value":"c"}]`, field: `"data":`,
		bad: map[string]string{"key": `{"data":{"a b":"c"}}`, "type": `{"data":["a"]}`, "both": `{"binaryData":{"a":"Yg=="}}`,
			"base64": `{"binaryData":{"b":"?"}}`},
	},
	{
		api: "/api/v1", plural: "secrets", body: object("v1", "Secret", `,"stringData":{"a":"b"}`),
		merge: `{"stringData":{"b":"c"}}`, jsonPatch: `[{"op":"add","path":"/data/b","value":"Yw=="}]`, field: `"stringData":`,
		bad:   map[string]string{"key": `{"data":{"a b":"Yw=="}}`, "base64": `{"data":{"a":"?"}}`, "typed": `{"type":"kubernetes.io/tls"}`},
		fixed: map[string]string{"type": `{"type":"example.com/other"}`},
	},
	pods,
	{
		api: "/api/v1", plural: "services", body: object("v1", "Service", `,"spec":{"selector":{"row":"$NAME"},"ports":[{"port":80}]}`),
		merge: `{"spec":{"sessionAffinity":"ClientIP"}}`, jsonPatch: `[{"op":"replace","path":"/spec/ports/0/port","value":81}]`,
		field: `"ports":`,
		bad: map[string]string{
			"no ports": `{"spec":{"ports":null}}`, "port": `{"spec":{"ports":[{"port":0}]}}`,
			"names": `{"spec":{"ports":[{"port":1},{"port":2}]}}`,
			"type":  `{"spec":{"type":"Other"}}`, "address": `{"spec":{"clusterIP":"300.1.1.1"}}`, "range": `{"spec":{"clusterIP":"192.0.2.1"}}`,
			"node port": `{"spec":{"type":"NodePort","ports":[{"port":80,"nodePort":80}]}}`, "external": `{"spec":{"type":"ExternalName"}}`,
		},
		fixed: map[string]string{"address": `{"spec":{"clusterIP":"10.0.0.7"}}`}, newStatus: `{"status":{"loadBalancer":{}}}`,
	},
	deployments,
	{
		api: "/apis/apps/v1", plural: "statefulsets", body: object("apps/v1", "StatefulSet", `,"spec":{"replicas":2,"serviceName":"s",`+
			template+`}`),
		merge: `{"spec":{"replicas":3}}`, jsonPatch: `[{"op":"replace","path":"/spec/replicas","value":3}]`, field: `"serviceName":`,
		bad: map[string]string{"policy": `{"spec":{"podManagementPolicy":"Other"}}`,
			"partition": `{"spec":{"updateStrategy":{"rollingUpdate":{"partition":-1}}}}`},
		fixed: map[string]string{"serviceName": `{"spec":{"serviceName":"t"}}`}, newStatus: `{"status":{"replicas":1}}`, scale: true,
	},
	{
		api: "/apis/batch/v1", plural: "jobs",
		body:  object("batch/v1", "Job", `,"spec":{"suspend":true,"template":{"spec":{"restartPolicy":"Never",`+containers+`}}}`),
		merge: `{"spec":{"parallelism":2}}`, jsonPatch: `[{"op":"add","path":"/spec/activeDeadlineSeconds","value":5}]`, field: `"suspend":`,
		bad: map[string]string{
			"restartPolicy": `{"spec":{"template":{"spec":{"restartPolicy":"Always"}}}}`, "parallelism": `{"spec":{"parallelism":-1}}`,
			"indexed": `{"spec":{"completionMode":"Indexed","completions":null}}`,
		},
		fixed: map[string]string{"template": `{"spec":{"template":{"spec":{"restartPolicy":"OnFailure"}}}}`,
			"completions": `{"spec":{"completions":7}}`},
	},
	namespaces,
	{
		api: "/apis/scheduling.k8s.io/v1", plural: "priorityclasses", cluster: true,
		body:  object("scheduling.k8s.io/v1", "PriorityClass", `,"value":7`),
		merge: `{"description":"d"}`, jsonPatch: `[{"op":"add","path":"/description","value":"d"}]`, field: `"value":`,
		bad:   map[string]string{"value": `{"value":2000000000}`, "policy": `{"preemptionPolicy":"Other"}`},
		fixed: map[string]string{"value": `{"value":8}`},
	},
	{
		api: "/apis/rbac.authorization.k8s.io/v1", plural: "clusterroles", cluster: true,
		body:  object("rbac.authorization.k8s.io/v1", "ClusterRole", `,"rules":[{"apiGroups":[""],"resources":["pods"],"verbs":["get"]}]`),
		merge: `{"rules":[]}`, jsonPatch: `[{"op":"remove","path":"/rules/0"}]`, field: `"rules":`,
		bad: map[string]string{"verbs": `{"rules":[{"apiGroups":[""],"resources":["pods"]}]}`,
			"both": `{"rules":[{"nonResourceURLs":["/"],"resources":["pods"],"apiGroups":[""],"verbs":["get"]}]}`},
	},
	{
		api: "/apis/policy/v1", plural: "poddisruptionbudgets",
		body:  object("policy/v1", "PodDisruptionBudget", `,"spec":{"minAvailable":1,"selector":{"matchLabels":{"row":"$NAME"}}}`),
		merge: `{"spec":{"minAvailable":2}}`, jsonPatch: `[{"op":"replace","path":"/spec/minAvailable","value":"50%"}]`,
		field:     `"minAvailable":`,
		bad:       map[string]string{"both": `{"spec":{"maxUnavailable":1}}`, "percent": `{"spec":{"minAvailable":"150%"}}`},
		newStatus: `{"status":{"observedGeneration":1,"currentHealthy":1,"desiredHealthy":1,"expectedPods":1,"disruptionsAllowed":0}}`,
	},
	{
		api: "/apis/autoscaling/v2", plural: "horizontalpodautoscalers",
		body: object("autoscaling/v2", "HorizontalPodAutoscaler",
			`,"spec":{"maxReplicas":3,"scaleTargetRef":{"apiVersion":"apps/v1","kind":"Deployment","name":"d"}}`),
		merge: `{"spec":{"maxReplicas":5}}`, jsonPatch: `[{"op":"replace","path":"/spec/maxReplicas","value":5}]`, field: `"maxReplicas":`,
		bad: map[string]string{"min": `{"spec":{"minReplicas":9}}`, "zero": `{"spec":{"maxReplicas":0}}`,
			"target": `{"spec":{"scaleTargetRef":{"name":""}}}`},
	},
	{
		api: "/apis/coordination.k8s.io/v1", plural: "leases",
		body:  object("coordination.k8s.io/v1", "Lease", `,"spec":{"holderIdentity":"me","leaseDurationSeconds":15}`),
		merge: `{"spec":{"holderIdentity":"you"}}`, jsonPatch: `[{"op":"remove","path":"/spec/holderIdentity"}]`, field: `"holderIdentity":`,
		bad: map[string]string{"duration": `{"spec":{"leaseDurationSeconds":0}}`, "time": `{"spec":{"renewTime":"yesterday"}}`},
	},
	{
		api: "/api/v1", plural: "nodes", cluster: true, body: object("v1", "Node", `,"spec":{"unschedulable":true}`),
		merge: `{"spec":{"unschedulable":null}}`, jsonPatch: `[{"op":"add","path":"/spec/podCIDR","value":"10.1.0.0/24"}]`,
		field: `"unschedulable":`,
		bad: map[string]string{"taint": `{"spec":{"taints":[{"key":"a b","effect":"NoSchedule"}]}}`,
			"effect": `{"spec":{"taints":[{"key":"a","effect":"Other"}]}}`},
		fixed: map[string]string{"provider": `{"spec":{"providerID":"p://1"}}`}, newStatus: `{"status":{"phase":"Running"}}`,
	},
	{
		api: "/api/v1", plural: "persistentvolumeclaims",
		body: object("v1", "PersistentVolumeClaim",
			`,"spec":{"accessModes":["ReadWriteOnce"],"storageClassName":"none","resources":{"requests":{"storage":"1Gi"}}}`),
		merge: `{"metadata":{"annotations":{"a":"b"}}}`, jsonPatch: `[{"op":"add","path":"/metadata/annotations","value":{"a":"b"}}]`,
		field: `"accessModes":`,
		bad: map[string]string{"mode": `{"spec":{"accessModes":["Other"]}}`, "storage": `{"spec":{"resources":{"requests":{"storage":"x"}}}}`,
			"none": `{"spec":{"resources":null}}`},
		fixed: map[string]string{"class": `{"spec":{"storageClassName":"more"}}`}, newStatus: `{"status":{"phase":"Lost"}}`,
	},
	{
		api: "/apis/networking.k8s.io/v1", plural: "ingresses",
		body:  object("networking.k8s.io/v1", "Ingress", `,"spec":{"defaultBackend":{"service":{"name":"s","port":{"number":80}}}}`),
		merge: `{"spec":{"ingressClassName":"c"}}`, jsonPatch: `[{"op":"replace","path":"/spec/defaultBackend/service/name","value":"t"}]`,
		field: `"defaultBackend":`,
		bad: map[string]string{"none": `{"spec":{"defaultBackend":null}}`,
			"path": `{"spec":{"rules":[{"http":{"paths":[{"path":"x","pathType":"Exact","backend":{"service":{"name":"s",` +
				`"port":{"number":80}}}}]}}]}}`},
	},
	widgets,
}
