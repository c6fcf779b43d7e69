package podtemplate

import (
	"fmt"
	"math/rand"
	"reflect"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/apitesting/fuzzer"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/resource"
	genericfuzzer "k8s.io/apimachinery/pkg/apis/meta/fuzzer"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
)

// objects are of the types whose specs are compared by their encodings.
func objects() []any {
	return []any{&corev1.Pod{}, &corev1.PodTemplate{}, &appsv1.Deployment{}, &appsv1.ReplicaSet{}}
}

// TestAnswersAreUpstreams compares objects with random content, which differ in all, in one value, or not at all.
func TestAnswersAreUpstreams(t *testing.T) {
	const rounds = 300
	random := rand.New(rand.NewSource(1))
	fill := fuzzer.FuzzerFor(genericfuzzer.Funcs, random, legacyscheme.Codecs)
	equal, different := 0, 0
	check := func(what string, a, b any) {
		t.Helper()
		want := upstream.DeepEqual(a, b)
		if got := equality.Semantic.DeepEqual(a, b); got != want {
			t.Fatalf("%T, %s: %t, but upstream says %t\n%v\n%v", a, what, got, want, a, b)
		}
		if want {
			equal++
		} else {
			different++
		}
	}
	for range rounds {
		for _, a := range objects() {
			fill.Fill(a)
			b := deepCopy(a)
			check("a copy", a, b)
			emptied(reflect.ValueOf(b).Elem())
			check("nil instead of empty", a, b)
			changed := deepCopy(a)
			change(reflect.ValueOf(changed).Elem(), random)
			check("one value", a, changed)
			fill.Fill(b)
			check("another object", a, b)
		}
	}
	t.Logf("%d equal, %d different", equal, different)
	if equal < rounds || different < rounds {
		t.Errorf("%d equal and %d different pairs are too few", equal, different)
	}
}

// TestEqualWithOtherEncodings has values that are equal, although their encodings differ.
func TestEqualWithOtherEncodings(t *testing.T) {
	spec := func(cpu string) corev1.PodSpec {
		requests := corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(cpu)}
		return corev1.PodSpec{Containers: []corev1.Container{{Resources: corev1.ResourceRequirements{Requests: requests}}}}
	}
	for _, row := range []struct {
		a, b  string
		equal bool
	}{{"1", "1", true}, {"1024Mi", "1073741824", true}, {"1", "2", false}} {
		if got := equality.Semantic.DeepEqual(spec(row.a), spec(row.b)); got != row.equal {
			t.Errorf("%s and %s: %t", row.a, row.b, got)
		}
	}
}

// TestFractionsOfSeconds has times that differ by less than a second, which no encoding shows.
func TestFractionsOfSeconds(t *testing.T) {
	template := func(nanoseconds int64) *corev1.PodTemplateSpec {
		claim := &corev1.PersistentVolumeClaimTemplate{}
		claim.CreationTimestamp = metav1.Unix(1, nanoseconds)
		ephemeral := &corev1.EphemeralVolumeSource{VolumeClaimTemplate: claim}
		template := &corev1.PodTemplateSpec{}
		template.CreationTimestamp = metav1.Unix(1, nanoseconds)
		template.Spec.Volumes = []corev1.Volume{{VolumeSource: corev1.VolumeSource{Ephemeral: ephemeral}}}
		return template
	}
	one, two := template(1), template(2)
	for _, row := range []struct{ one, same, two any }{
		{one, template(1), two}, {&one.Spec, &template(1).Spec, &two.Spec},
		{appsv1.DeploymentSpec{Template: *one}, appsv1.DeploymentSpec{Template: *template(1)}, appsv1.DeploymentSpec{Template: *two}},
		{appsv1.ReplicaSetSpec{Template: *one}, appsv1.ReplicaSetSpec{Template: *template(1)}, appsv1.ReplicaSetSpec{Template: *two}},
	} {
		if !equality.Semantic.DeepEqual(row.one, row.same) || equality.Semantic.DeepEqual(row.one, row.two) {
			t.Errorf("%T", row.one)
		}
	}
}

func deepCopy(object any) any {
	return reflect.ValueOf(object).MethodByName("DeepCopy").Call(nil)[0].Interface()
}

// emptied makes nil of all slices and maps without content, and the other way around.
func emptied(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			emptied(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				emptied(v.Field(i))
			}
		}
	case reflect.Slice, reflect.Map:
		switch {
		case v.Len() > 0 && v.Kind() == reflect.Slice:
			for i := range v.Len() {
				emptied(v.Index(i))
			}
		case v.Len() == 0 && v.IsNil() && v.Kind() == reflect.Map:
			v.Set(reflect.MakeMap(v.Type()))
		case v.Len() == 0 && v.IsNil():
			v.Set(reflect.MakeSlice(v.Type(), 0, 0))
		case v.Len() == 0:
			v.SetZero()
		}
	}
}

// change gives one random string in an object another value.
func change(v reflect.Value, random *rand.Rand) {
	var strings []reflect.Value
	var collect func(reflect.Value)
	collect = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.String:
			strings = append(strings, v)
		case reflect.Pointer:
			if !v.IsNil() {
				collect(v.Elem())
			}
		case reflect.Struct:
			for i := range v.NumField() {
				if v.Type().Field(i).IsExported() {
					collect(v.Field(i))
				}
			}
		case reflect.Slice:
			for i := range v.Len() {
				collect(v.Index(i))
			}
		}
	}
	collect(v)
	at := strings[random.Intn(len(strings))]
	at.SetString(fmt.Sprintf("%s-", at.String()))
}

// BenchmarkEqual compares two equal templates.
func BenchmarkEqual(b *testing.B) {
	spec := &corev1.PodTemplateSpec{Spec: corev1.PodSpec{
		RestartPolicy: corev1.RestartPolicyAlways, DNSPolicy: corev1.DNSClusterFirst, SchedulerName: "default-scheduler",
		SecurityContext: &corev1.PodSecurityContext{},
		Containers:      []corev1.Container{{Name: "c", Image: "example.com/web:v1", ImagePullPolicy: corev1.PullIfNotPresent}},
	}}
	spec.Labels = map[string]string{"app": "web"}
	other := spec.DeepCopy()
	b.ReportAllocs()
	for b.Loop() {
		if !equality.Semantic.DeepEqual(spec, other) {
			b.Fatal("not equal")
		}
	}
}
