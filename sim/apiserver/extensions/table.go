package extensions

import (
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresource/tableconvertor"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/registry/rest"
)

// Columns makes the rows of a Table of custom resources. A resource that the server does not know has those of every
// resource.
func (s *Server) Columns(resource schema.GroupVersionResource) rest.TableConvertor {
	columns := []apiextensionsv1.CustomResourceColumnDefinition{{
		Name: "Age", Type: "date", JSONPath: ".metadata.creationTimestamp",
		Description: metav1.ObjectMeta{}.SwaggerDoc()["creationTimestamp"],
	}}
	if crd := s.Definition(resource.GroupResource()); crd != nil {
		for _, v := range crd.Spec.Versions {
			if v.Name == resource.Version && len(v.AdditionalPrinterColumns) > 0 {
				columns = v.AdditionalPrinterColumns
			}
		}
	}
	// Columns that it cannot read are left out, as upstream does.
	convertor, _ := tableconvertor.New(columns)
	return convertor
}
