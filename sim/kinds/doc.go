// Package kinds is the table of the kinds of objects that the API server stores: what "kubectl api-resources -o wide"
// prints, and a little more.
//
//	kinds.BuiltIn().Named("deploy").Resource             deployments
//	kinds.BuiltIn().Named("deployments.apps").Singular   deployment
//	kinds.BuiltIn().Named("sts").Has("scale")            true: kubectl scale works on a StatefulSet
//	kinds.BuiltIn().Named("cronjob").PodSpec             spec.jobTemplate.spec.template.spec
//
// Targets of steps, conditions, manifests, names in the trace, completion and the lists on the screen all ask this table.
// Whatever is true of some kinds only is a column of it, or follows from a column. Kinds of which nothing is stored, such
// as the reviews of authorization.k8s.io, are not in it.
//
// # Where the rows come from
//
// Nobody types them. A test asks the API server of the simulation for its discovery documents, and the Go types and
// kubectl for the two columns that discovery does not have, and writes builtin.go:
//
//	make golden PKG=./sim/kinds
//
// The rows are Go values and not an embedded discovery document because nothing has to be parsed when a program starts,
// and because the package then needs no more than the names of package schema: the trace and all that reads one use the
// table without the API server, its clients or its scheme. meta.DefaultRESTMapper answers some of the same questions,
// but knows neither short names, subresources nor upper case, needs 79 packages, and takes some fifteen times as long
// (BenchmarkNamed).
//
// # Custom resources
//
// A Table is a value. With returns a table that has more rows, such as those of CustomResourceDefinitions. A kind need
// not have a Go type; package expr reads the fields of an object without one from what it holds.
package kinds
