// Package jsonin turns JSON into [codec.Write]: the one authority on what JSON this service takes.
//
// It has two halves. The fast path (fast.go) is written by hand for this one schema and only ever accepts: it guesses the
// documented order of members, takes any other order a little slower, and gives up at whatever it does not know. The judge
// (judge.go, on the strict layer of node.go) then decides, with go-json-experiment's jsontext as the authority on syntax, and
// words every error. What the fast path takes, the judge takes with the same values; a fuzz test holds the two together.
//
// # What is taken
//
//	{"handle": {"galaxyId": 1, "platformId": 1, "engineId": 2, "objectId": 5, "object": "TestChildObject",
//	            "primitiveId": 2, "attributeId": 155, "propertyId": 10, "attribute": "TestInt", "attributeIndex": 0},
//	 "type": "Int32", "value": 305419896,
//	 "timestamp": "2024-01-01T00:00:00Z", "clientToken": 0, "writeIndex": 0}
//
// objectSignature (0..65535) may stand for object, attributeSignature for attribute: exactly one of each pair. propertyId is 10
// when absent, attributeIndex 0 for a scalar and -1 for an array. handleBytes, 40 hex digits in either case, may stand for
// handle. Only handle or handleBytes, type and value are required. Beside the value "NaN" of a Float32 or Float64, bits (8 or 16
// hex digits, highest first) says which NaN; beside an array of them it is a list of {"index", "bits"}.
// An item of a batch may have an id, a string of at most [MaxID] characters.
//
// Integers are digits with an optional minus sign: 1.0 and 1e2 are not integers. -0 is the integer 0. Floats are JSON
// numbers, read straight to their width and rounded to nearest even, so that small ones may become denormal or 0 (and -0.0
// stays negative); one that would become infinite is refused. "NaN", "Infinity" and "-Infinity" are the only strings a float takes.
//
// # What is refused
//
// Two classes, told apart by [Error.Syntax]. Not JSON, or against the strict rules: text after the value, a member twice, an
// unknown member (also one in another case), invalid UTF-8, a lone surrogate, nesting deeper than [MaxDepth], a body that is not an
// object. And JSON that does not fit: a missing member, null, a wrong type, a number outside its range, a bad time.
//
// # What JSON Schema takes and this package refuses
//
// The document api/openapi.yaml cannot say the following; nothing else differs (a test holds that; docs/json-input.md has the same list):
//
//   - text after the value, a member twice, invalid UTF-8, a lone surrogate, nesting deeper than the limit
//   - integers written with a fraction or an exponent: 1.0, 1e2
//   - floats beyond their type's range
//   - handle and handleBytes both or neither; a name and its signature both or neither
//   - an attributeIndex that does not fit the type; handleBytes whose reserved byte is not 0, or whose index does not fit
//   - times before 1601 or with a date the calendar does not have
//   - bits that are not a NaN, or beside a value that is not "NaN"; in a list, an index twice or beyond the array
//   - text, arrays and batch items longer than the configured limits
//
// # For other requests
//
// [Parse] and [Node] are the strict layer by itself, for request bodies that are no write:
//
//	root, err := jsonin.Parse(body)                      // all syntax errors, with pointer and offset
//	m, err := root.Members("hex", "base64", "names")     // unknown members; m[i] is absent where m[i].Present() is false
//	n, err := m[0].Text(nil)                             // wrong type, null
//	err = m[0].Fail("hex has an odd number of digits", "an even number")
//
// [Decoder.ValueNode] and [Decoder.HandleNode] read the parts of a write inside bigger requests.
// Every error that this package returns is an [*Error], but for the reader's own in [Batch].
package jsonin
