// Command order copies the OpenAPI document with each property's place in it written down as x-order, which the generator
// goes by. Without it the fields of the generated structs, and so the members of every JSON answer, stand in alphabetical
// order: base64 before message.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"go.yaml.in/yaml/v3"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: order FROM TO")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "order:", err)
		os.Exit(1)
	}
}

func run(from, to string) error {
	b, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(b, &doc); err != nil {
		return err
	}
	number(&doc)
	if b, err = yaml.Marshal(&doc); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	return os.WriteFile(to, b, 0o644)
}

// number gives every member of every "properties" its place.
func number(n *yaml.Node) {
	for i := 0; n.Kind == yaml.MappingNode && i < len(n.Content); i += 2 {
		if n.Content[i].Value != "properties" || n.Content[i+1].Kind != yaml.MappingNode {
			continue
		}
		props := n.Content[i+1].Content
		for j := 1; j < len(props); j += 2 {
			props[j].Content = append(props[j].Content,
				&yaml.Node{Kind: yaml.ScalarNode, Value: "x-order"},
				&yaml.Node{Kind: yaml.ScalarNode, Value: strconv.Itoa(j / 2)})
		}
	}
	for _, c := range n.Content {
		number(c)
	}
}
