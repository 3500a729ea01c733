// Package check tests the files that deploy mxrest with the parsers of the tools that read them: Kubernetes' API types, Compose's loader,
// BuildKit's Dockerfile parser. It is a module of its own so that none of these is among the product's dependencies.
package check
