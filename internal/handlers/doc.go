// Package handlers is the HTTP side of each operation of the contract: one file an operation, named by its operationId.
//
// A handler reads the request into a pooled buffer, has the codec do the work, and answers through respond.go; whatever
// goes wrong on the way becomes one [Problem] (problem.go), the same shape for every error of the service.
package handlers
