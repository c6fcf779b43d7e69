package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"k8s.io/kubernetes/cmd/kube-controller-manager/names"
)

// growthPart is the part of the page with the table of the curves.
const growthPart = "growth"

// curve is a quantity that grows while all else stays, and a picture of the page.
type curve struct {
	// name is a column of the table and part of the name of the picture, and axis says what is counted.
	name, axis string
	// sizes are how many there are, the least first.
	sizes []int
	// text is the scenario with one of the sizes.
	text func(size int) string
}

// curves are those of the page, in its order.
func curves() []curve {
	return []curve{
		{"replicas", "replicas of a Deployment", []int{10, 30, 100, 300, 1000, 2000}, func(n int) string { return rollout(n, byDefault) }},
		{"nodes", "nodes, with 100 replicas on them", []int{10, 30, 100, 300, 1000, 3000}, spread},
		{"workloads", "Deployments of 2 replicas", []int{1, 3, 10, 30, 100, 300}, manyDeployments},
		{"days", "virtual days of an hourly CronJob", []int{7, 14, 28, 56, 112}, cron},
		{"controllers", "controllers, with 100 replicas", []int{2, 4, 8, 16, 32}, func(n int) string {
			return rollout(100, byDefault+", controllers: ["+strings.Join(controllersOf(n), ", ")+"]")
		}},
	}
}

// spread is a rollout in a cluster with a number of nodes.
func spread(nodes int) string {
	const usual = "nodes: [{count: 5, pods: 5000}]"
	return strings.Replace(rollout(100, byDefault), usual, fmt.Sprintf("nodes: [{count: %d}]", nodes), 1)
}

// manyDeployments creates Deployments at the same time.
func manyDeployments(count int) string {
	var out strings.Builder
	out.WriteString(`apiVersion: kubestep.dev/v1alpha1
kind: Scenario
metadata: {name: deployments}
spec:
  title: Create Deployments
  horizon: 30m
  kubernetes: {clientQPS: 0}
  cluster:
    nodes: [{count: 5, pods: 5000}]
    pods: [{ready: 2s, terminate: 1s}]
  steps:
  - create: |
`)
	for i := range count {
		fmt.Fprintf(&out, `      ---
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: web-%[1]d}
      spec:
        replicas: 2
        selector: {matchLabels: {app: web-%[1]d}}
        template:
          metadata: {labels: {app: web-%[1]d}}
          spec: {containers: [{name: c, image: "web:v1"}]}
`, i)
	}
	return out.String()
}

// controllersOf are the first controllers of a list that begins with those that a rollout needs.
func controllersOf(count int) []string {
	return []string{
		names.DeploymentController, names.ReplicaSetController, names.GarbageCollectorController, names.NamespaceController,
		names.EndpointSliceController, names.DisruptionController, names.StatefulSetController, names.DaemonSetController,
		names.JobController, names.CronJobController, names.ServiceAccountController, names.ResourceQuotaController,
		names.PodGarbageCollectorController, names.HorizontalPodAutoscalerController, names.ReplicationControllerController,
		names.EndpointsController, names.EndpointSliceMirroringController, names.NodeLifecycleController, names.TaintEvictionController,
		names.TTLController, names.TTLAfterFinishedController, names.PersistentVolumeBinderController,
		names.PersistentVolumeAttachDetachController, names.PersistentVolumeExpanderController, names.PersistentVolumeProtectionController,
		names.PersistentVolumeClaimProtectionController, names.EphemeralVolumeController, names.RootCACertificatePublisherController,
		names.ClusterRoleAggregationController, names.CertificateSigningRequestApprovingController,
		names.CertificateSigningRequestCleanerController, names.ValidatingAdmissionPolicyStatusController,
	}[:count]
}

// point is a size of a curve with its cost in the units of the table: seconds and megabytes.
type point struct{ size, cpu, memory float64 }

var growthHead = []string{"grows", "size", "CPU time", "peak memory"}

// growth measures the curves.
func (m *meter) growth(progress io.Writer) (string, error) {
	var rows [][]string
	var all []workload
	for _, c := range curves() {
		for _, size := range c.sizes {
			all = append(all, workload{name: fmt.Sprint(size, " ", c.axis), text: c.text(size)})
			rows = append(rows, []string{c.name, grouped(int64(size))})
		}
	}
	costs, _, err := fastest(progress, all, func(w *workload) string { return w.name }, m.run)
	if err != nil {
		return "", err
	}
	for i, used := range costs {
		rows[i] = append(rows[i], seconds(used.cpu), megabytes(used.memory))
	}
	var out strings.Builder
	table(&out, growthHead, rows)
	return out.String(), nil
}

// pointsOf reads the points of a curve from the page.
func pointsOf(page, name string) (points []point, err error) {
	for line := range strings.Lines(between(page, growthPart)) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		if len(cells) != len(growthHead) || strings.TrimSpace(cells[0]) != name {
			continue
		}
		var numbers [3]float64
		for i, cell := range cells[1:] {
			number, _, _ := strings.Cut(strings.TrimSpace(cell), " ")
			if numbers[i], err = strconv.ParseFloat(strings.ReplaceAll(number, ",", ""), 64); err != nil {
				return nil, fmt.Errorf("the row %q: %w", strings.TrimSpace(line), err)
			}
		}
		points = append(points, point{numbers[0], numbers[1], numbers[2]})
	}
	return points, nil
}
