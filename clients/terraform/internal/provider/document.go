package provider

import (
	"encoding/json"
	"fmt"
	"math/big"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// document is a resource as JSON has it: what Terraform calls null is nil, and what it does not know yet is unknown.
type document map[string]any

// unknown stands for a value that is known only after something else was made.
type unknown struct{}

func documentOf(value tftypes.Value) (document, error) {
	plain, err := plainOf(value)
	if err != nil {
		return nil, err
	}
	fields, _ := plain.(map[string]any)
	return fields, nil
}

// plainOf has the values of JSON: nothing, texts, booleans, numbers, lists and objects.
func plainOf(value tftypes.Value) (any, error) {
	if !value.IsKnown() {
		return unknown{}, nil
	}
	if value.IsNull() {
		return nil, nil
	}
	switch of := value.Type(); {
	case of.Is(tftypes.String):
		return as[string](value)
	case of.Is(tftypes.Bool):
		return as[bool](value)
	case of.Is(tftypes.Number):
		number, err := as[big.Float](value)
		return json.Number(number.Text('f', -1)), err
	case of.Is(tftypes.List{}), of.Is(tftypes.Set{}):
		items, err := as[[]tftypes.Value](value)
		all := make([]any, len(items))
		for i := 0; i < len(items) && err == nil; i++ {
			all[i], err = plainOf(items[i])
		}
		return all, err
	case of.Is(tftypes.Map{}), of.Is(tftypes.Object{}):
		fields, err := as[map[string]tftypes.Value](value)
		all := make(map[string]any, len(fields))
		for name, field := range fields {
			if err == nil {
				all[name], err = plainOf(field)
			}
		}
		return all, err
	default:
		return nil, fmt.Errorf("no field of the API is a %s", of)
	}
}

func as[T any](value tftypes.Value) (T, error) {
	var it T
	err := value.As(&it)
	return it, err
}

// body is the document as the API takes it. What is not known is left out.
func body[T any](of document) (T, error) {
	var it T
	text, err := json.Marshal(known(of))
	if err == nil {
		err = json.Unmarshal(text, &it)
	}
	return it, err
}

func known(value any) any {
	switch it := value.(type) {
	case document:
		return known(map[string]any(it))
	case map[string]any:
		all := make(map[string]any, len(it))
		for name, field := range it {
			if _, isOpen := field.(unknown); !isOpen {
				all[name] = known(field)
			}
		}
		return all
	case []any:
		all := make([]any, len(it))
		for i, item := range it {
			all[i] = known(item)
		}
		return all
	default:
		return value
	}
}

// valueOf is an answer of the API as Terraform keeps it. Fields that only the API has are left out; those that only
// Terraform has are null.
func valueOf(answer any, of tftypes.Type) (tftypes.Value, error) {
	text, err := json.Marshal(answer)
	if err != nil {
		return tftypes.Value{}, err
	}
	return tftypes.ValueFromJSONWithOpts(text, of, tftypes.ValueFromJSONOpts{IgnoreUndefinedAttributes: true})
}

// text is the field if it is a known text, else empty.
func (d document) text(name string) string {
	it, _ := d[name].(string)
	return it
}

// isEmpty tells whether the field is known to have nothing in it.
func (d document) isEmpty(name string) bool {
	switch it := d[name].(type) {
	case nil:
		return true
	case string:
		return it == ""
	case []any:
		return len(it) == 0
	case map[string]any:
		return len(it) == 0
	default:
		return false
	}
}

func (d document) isUnknown(name string) bool {
	_, isOpen := d[name].(unknown)
	return isOpen
}
