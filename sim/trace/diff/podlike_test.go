package diff

import "time"

// podLike has the forms of fields that the API's types have, with their tags.
type podLike struct {
	metaLike `json:"metadata"`
	Spec     specLike   `json:"spec,omitempty"`
	Status   statusLike `json:"status,omitempty"`
}

type metaLike struct {
	Name            string            `json:"name,omitempty"`
	Namespace       string            `json:"namespace,omitempty"`
	ResourceVersion string            `json:"resourceVersion,omitempty"`
	Generation      int64             `json:"generation,omitempty"`
	Created         stamp             `json:"creationTimestamp,omitempty,omitzero"`
	Deleted         *stamp            `json:"deletionTimestamp,omitempty"`
	Labels          map[string]string `json:"labels,omitempty"`
	Annotations     map[string]string `json:"annotations,omitempty"`
	Owners          []ownerLike       `json:"ownerReferences,omitempty" patchStrategy:"merge" patchMergeKey:"uid"`
	Finalizers      []string          `json:"finalizers,omitempty" patchStrategy:"merge"`
	ManagedFields   []string          `json:"managedFields,omitempty"`
}

type ownerLike struct {
	Kind       string `json:"kind"`
	Name       string `json:"name"`
	UID        string `json:"uid"`
	Controller *bool  `json:"controller,omitempty"`
}

type specLike struct {
	Containers []containerLike   `json:"containers" patchStrategy:"merge" patchMergeKey:"name"`
	NodeName   string            `json:"nodeName,omitempty"`
	Grace      *int64            `json:"terminationGracePeriodSeconds,omitempty"`
	Selector   map[string]string `json:"nodeSelector,omitempty"`
	Matrix     [][]int32         `json:"matrix,omitempty"`
	Surge      *quantityLike     `json:"maxSurge,omitempty"`
	Extra      map[string]any    `json:"extra,omitempty"`
	Security   *securityLike     `json:"securityContext,omitempty"`
	Data       []byte            `json:"data,omitempty"`
}

type securityLike struct {
	RunAsUser *int64   `json:"runAsUser,omitempty"`
	Groups    []int64  `json:"groups,omitempty"`
	Ratio     *float64 `json:"ratio,omitempty"`
}

type containerLike struct {
	Name    string                  `json:"name"`
	Image   string                  `json:"image,omitempty"`
	Args    []string                `json:"args,omitempty"`
	Ports   []portLike              `json:"ports,omitempty" patchStrategy:"merge" patchMergeKey:"containerPort"`
	Env     []*envLike              `json:"env,omitempty" patchStrategy:"merge" patchMergeKey:"name"`
	Limits  map[string]quantityLike `json:"limits,omitempty"`
	Started bool                    `json:"started"`
}

type portLike struct {
	Port     int32  `json:"containerPort"`
	Protocol string `json:"protocol,omitempty"`
}

type envLike struct {
	Name  string `json:"name"`
	Value string `json:"value,omitempty"`
}

type statusLike struct {
	Phase      string          `json:"phase,omitempty"`
	Ready      int32           `json:"readyReplicas"`
	Available  int32           `json:"availableReplicas,omitempty"`
	Draining   *int32          `json:"terminatingReplicas,omitempty"`
	Conditions []conditionLike `json:"conditions,omitempty" patchStrategy:"merge" patchMergeKey:"type"`
	States     []stateLike     `json:"containerStatuses,omitempty"`
	Start      *stamp          `json:"startTime,omitempty"`
}

type conditionLike struct {
	Type   string `json:"type"`
	Status string `json:"status"`
	Probed stamp  `json:"lastProbeTime"`
	Since  stamp  `json:"lastTransitionTime,omitempty"`
	Reason string `json:"reason,omitempty"`
}

type stateLike struct {
	Name    string `json:"name"`
	Waiting *struct {
		Reason string `json:"reason,omitempty"`
	} `json:"waiting,omitempty"`
	Restarts int32 `json:"restartCount"`
}

// stamp writes itself, as metav1.Time does: null when it is zero, and its zero method is the pointer's.
type stamp struct{ time.Time }

func (s *stamp) IsZero() bool { return s == nil || s.Time.IsZero() }

func (s stamp) MarshalJSON() ([]byte, error) {
	if s.Time.IsZero() {
		return []byte("null"), nil
	}
	return s.Time.UTC().Truncate(time.Second).MarshalJSON()
}

// quantityLike writes itself as text and cannot be compared with ==.
type quantityLike struct{ digits []string }

func (q quantityLike) MarshalText() ([]byte, error) {
	text := "0"
	for _, digit := range q.digits {
		text += digit
	}
	return []byte(text), nil
}

func newPodLike() *podLike {
	yes, grace := true, int64(30)
	at := stamp{time.Date(2026, 1, 1, 0, 0, 1, 0, time.UTC)}
	return &podLike{
		metaLike: metaLike{
			Name: "web-6dc4ff998b-mjgpm", Namespace: "default", ResourceVersion: "10", Generation: 1, Created: at,
			Labels: map[string]string{"app": "web", "pod-template-hash": "6dc4ff998b"},
			Owners: []ownerLike{{"ReplicaSet", "web-6dc4ff998b", "23f5ab10-2bb4-4f3b-ae51-12981caaf073", &yes}},
		},
		Spec: specLike{
			Containers: []containerLike{{Name: "c", Image: "web:v1", Ports: []portLike{{Port: 80}}}},
			NodeName:   "node-2", Grace: &grace, Security: &securityLike{},
		},
		Status: statusLike{
			Phase: "Pending",
			Conditions: []conditionLike{
				{Type: "PodScheduled", Status: "True", Since: at}, {Type: "Ready", Status: "False", Since: at, Reason: "ContainersNotReady"},
			},
			States: []stateLike{{Name: "c"}},
		},
	}
}
