package definition

import (
	"context"

	"k8s.io/apiextensions-apiserver/pkg/apihelpers"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	upstream "k8s.io/apiextensions-apiserver/pkg/apiserver"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresourcedefinition"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
)

// CheckManifest says what the API server would say of a manifest without a Go type: a definition, or an object of a kind that one
// of the definitions defines. It is nil if the server would accept it, as far as that can be known.
func CheckManifest(definitions []*Definition, raw []byte, object *unstructured.Unstructured) error {
	if object.GroupVersionKind() == Kind.GroupVersionKind() {
		d, err := typed(raw)
		if err != nil {
			return err
		}
		return check(d)
	}
	for _, d := range definitions {
		if gvk := object.GroupVersionKind(); d.Spec.Group == gvk.Group && d.Spec.Names.Kind == gvk.Kind {
			return checkObject(d, object)
		}
	}
	return nil
}

// typed reads a definition from its JSON and sets the defaults.
func typed(raw []byte) (*Definition, error) {
	object, _, err := upstream.Codecs.UniversalDeserializer().Decode(raw, nil, nil)
	if err != nil {
		return nil, err
	}
	out, ok := object.(*Definition)
	if !ok {
		return nil, apierrors.NewBadRequest("is not a CustomResourceDefinition")
	}
	upstream.Scheme.Default(out)
	return out, nil
}

// check says what the API server would say when a definition is created, nil if it would accept it.
func check(d *Definition) error {
	internal := &apiextensions.CustomResourceDefinition{}
	if err := upstream.Scheme.Convert(d.DeepCopy(), internal, nil); err != nil {
		return err
	}
	strategy := customresourcedefinition.NewStrategy(upstream.Scheme)
	strategy.PrepareForCreate(context.Background(), internal)
	if errs := strategy.Validate(context.Background(), internal); len(errs) > 0 {
		return apierrors.NewInvalid(Kind.GroupVersionKind().GroupKind(), d.Name, errs)
	}
	return nil
}

// checkObject compares an object with the schema of its definition, after the defaults are set. It does not evaluate validation
// rules.
func checkObject(d *Definition, object *unstructured.Unstructured) error {
	gvk := object.GroupVersionKind()
	external, err := apihelpers.GetSchemaForVersion(d, gvk.Version)
	if err != nil || external == nil {
		return err
	}
	schema := &apiextensions.CustomResourceValidation{}
	err = apiextensionsv1.Convert_v1_CustomResourceValidation_To_apiextensions_CustomResourceValidation(external.DeepCopy(), schema, nil)
	if err != nil {
		return err
	}
	structural, err := structuralschema.NewStructural(schema.OpenAPIV3Schema)
	if err != nil {
		return err
	}
	object = object.DeepCopy()
	defaulting.Default(object.Object, structural)
	validator, _, err := validation.NewSchemaValidator(schema.OpenAPIV3Schema)
	if err != nil {
		return err
	}
	if errs := validation.ValidateCustomResource(nil, object.Object, validator); len(errs) > 0 {
		return apierrors.NewInvalid(gvk.GroupKind(), object.GetName(), errs)
	}
	return nil
}

// Established is a definition as it is after the controllers of the API server have accepted its names and established it.
func Established(raw []byte, since metav1.Time) (*unstructured.Unstructured, error) {
	out, err := typed(raw)
	if err != nil {
		return nil, err
	}
	out.Status.AcceptedNames = out.Spec.Names
	for _, v := range out.Spec.Versions {
		if v.Storage {
			out.Status.StoredVersions = []string{v.Name}
		}
	}
	for _, c := range []apiextensionsv1.CustomResourceDefinitionCondition{
		{Type: apiextensionsv1.NamesAccepted, Reason: "NoConflicts", Message: "no conflicts found"},
		{Type: apiextensionsv1.Established, Reason: "InitialNamesAccepted", Message: "the initial names have been accepted"},
	} {
		c.Status, c.LastTransitionTime = apiextensionsv1.ConditionTrue, since
		apihelpers.SetCRDCondition(out, c)
	}
	fields, err := runtime.DefaultUnstructuredConverter.ToUnstructured(out)
	if err != nil {
		panic("definition: a CustomResourceDefinition does not convert: " + err.Error())
	}
	object := &unstructured.Unstructured{Object: fields}
	object.SetGroupVersionKind(Kind.GroupVersionKind())
	return object, nil
}
