package main

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"
	"strings"
)

// unexported is the end of the path of the package that reaches fields of upstream's structs by their names.
const unexported = "/unexported"

// checkFields looks for the fields that calls of unexported.Field name. At run time, one that does not exist is a panic, and so is one
// of another type.
func (c *checker) checkFields(file *ast.File, info *types.Info) {
	ast.Inspect(file, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) != 2 || !isField(call.Fun, info) {
			return true
		}
		pointer, ok := info.TypeOf(call.Args[0]).(*types.Pointer)
		name := info.Types[call.Args[1]].Value
		if !ok || name == nil {
			return true
		}
		wanted := info.TypeOf(call.Fun.(*ast.IndexExpr).Index)
		if found := structField(pointer.Elem(), constant.StringVal(name)); found != nil && types.ConvertibleTo(found.Type(), wanted) {
			return true
		}
		c.problems = append(c.problems, relative(fmt.Sprintf("%s: %s has no field %s of type %s",
			c.files.Position(call.Pos()), pointer.Elem(), constant.StringVal(name), wanted)))
		return true
	})
}

// isField reports whether an expression is unexported.Field[T].
func isField(e ast.Expr, info *types.Info) bool {
	index, ok := e.(*ast.IndexExpr)
	if !ok {
		return false
	}
	selector, ok := index.X.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	object := info.Uses[selector.Sel]
	return object != nil && object.Pkg() != nil && object.Name() == "Field" && strings.HasSuffix(object.Pkg().Path(), unexported)
}

func structField(in types.Type, name string) *types.Var {
	s, ok := in.Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	for field := range s.Fields() {
		if field.Name() == name {
			return field
		}
	}
	return nil
}
