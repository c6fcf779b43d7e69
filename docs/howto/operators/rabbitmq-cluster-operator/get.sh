#!/usr/bin/env bash
# Gets RabbitMQ's cluster-operator as it was when Sieve tested it, in March 2021, to original/. What five years of
# controller-runtime and client-go changed takes five lines; nothing else is different.
set -euo pipefail
cd "$(dirname "$0")"
unset GOFLAGS
commit=4f13b9a942ad34fece0171d2174aa0264b10e947
rm -rf original
../snapshot.sh original https://github.com/rabbitmq/cluster-operator $commit api controllers internal config/crd LICENSE.txt
find original -name '*_test.go' -delete
cd original
statefulset=internal/resource/statefulset.go
sed -i '/PersistentVolumeClaimSpec{/,/}/s/corev1.ResourceRequirements{/corev1.VolumeResourceRequirements{/' $statefulset
sed -i 's/Handler: corev1.Handler{/ProbeHandler: corev1.ProbeHandler{/; s/&corev1.Handler{/\&corev1.LifecycleHandler{/' $statefulset
sed -i 's/= logr.FromContext(ctx)/= logr.FromContextOrDiscard(ctx)/' controllers/*.go
cat >go.mod <<'MOD'
module github.com/rabbitmq/cluster-operator

go 1.26.0
MOD
