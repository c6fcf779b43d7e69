package runner

import (
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
)

// TestPodsReachServices: scripts in Pods connect to Services, and end with 0 if those answer whom the kube-proxy of the node chooses.
func TestPodsReachServices(t *testing.T) {
	for name, script := range map[string]string{
		"all endpoints":              `[ "$(for i in $(seq 12); do wget -qO- http://plain/hostname; echo; done | sort -u | grep -c web)" = 2 ]`,
		"those of the node":          `for i in $(seq 8); do [ "$(wget -qO- http://local/hostname)" = web-1 ] || exit 1; done`,
		"the one of before":          `first=$(wget -qO- http://sticky/hostname); for i in $(seq 8); do [ "$(wget -qO- http://sticky/hostname)" = $first ] || exit 1; done`,
		"none":                       `! wget -qO- http://nobody/hostname`,
		"nowhere":                    `! wget -qO- http://10.200.0.1/hostname`,
		"no such name":               `! wget -qO- http://missing/hostname`,
		"a node's port":              `[ "$(for i in $(seq 12); do wget -qO- http://$HOST:30080/hostname; echo; done | sort -u | grep -c web)" = 2 ]`,
		"the complete name":          `wget -qO- http://plain.default.svc.cluster.local/hostname`,
		"a headless Service's Pod":   `[ "$(wget -qO- http://web-2.headless:8080/hostname)" = web-2 ]`,
		"only those of another node": `! wget -T 5 -qO- http://elsewhere/hostname`,
	} {
		t.Run(name, func(t *testing.T) {
			told := live(t, strings.Replace(clients, "SCRIPT", script, 1))
			if told.pod == nil {
				t.Fatal("there is no client")
			}
			if told.pod.Status.Phase != corev1.PodSucceeded {
				t.Errorf("the client: %+v", told.pod.Status.ContainerStatuses)
			}
		})
	}
}

var clients = `apiVersion: kubestep.dev/v1alpha1
kind: Scenario
metadata: {name: network}
spec:
  title: Pods and Services
  horizon: 5m
  kubernetes: {kubelet: kubelet, controllers: [endpointslice-controller]}
  cluster: {nodes: [{count: 2}]}
  steps:
` + server(1) + server(2) +
	service("plain", "type: NodePort, ports: [{port: 80, targetPort: 8080, nodePort: 30080}], externalTrafficPolicy: Local") +
	service("local", "internalTrafficPolicy: Local, ports: [{port: 80, targetPort: 8080}]") +
	service("sticky", "sessionAffinity: ClientIP, ports: [{port: 80, targetPort: 8080}]") +
	service("headless", "clusterIP: None, ports: [{port: 8080}]") + `
  - create: |
      apiVersion: v1
      kind: Service
      metadata: {name: nobody}
      spec: {selector: {app: nobody}, ports: [{port: 80}]}
  - create: |
      apiVersion: v1
      kind: Service
      metadata: {name: elsewhere}
      spec: {selector: {name: web-2}, internalTrafficPolicy: Local, ports: [{port: 80, targetPort: 8080}]}
  - after: 10s
    create: |
      apiVersion: v1
      kind: Pod
      metadata: {name: web}
      spec:
        nodeName: node-1
        restartPolicy: Never
        containers:
        - name: client
          image: busybox
          command: [sh, -c, 'SCRIPT']
          env: [{name: HOST, valueFrom: {fieldRef: {fieldPath: status.hostIP}}}]
`

func server(n int) string {
	return fmt.Sprintf(`
  - create: |
      apiVersion: v1
      kind: Pod
      metadata: {name: web-%d, labels: {app: web, name: web-%[1]d}}
      spec:
        nodeName: node-%[1]d
        hostname: web-%[1]d
        subdomain: headless
        containers: [{name: web, image: agnhost, args: [netexec, --http-port=8080]}]
`, n)
}

func service(name, spec string) string {
	return fmt.Sprintf(`
  - create: |
      apiVersion: v1
      kind: Service
      metadata: {name: %s}
      spec: {selector: {app: web}, %s}
`, name, spec)
}
