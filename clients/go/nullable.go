package gateway

import "encoding/json"

// Nullable is a field of a change that may be set to null. Its zero value leaves the field as it is.
type Nullable[T any] struct {
	value *T
	sent  bool
}

// Set is a change to this value.
func Set[T any](value T) Nullable[T] { return Nullable[T]{value: &value, sent: true} }

// Null is a change to null.
func Null[T any]() Nullable[T] { return Nullable[T]{sent: true} }

// IsZero tells whether the field is left as it is.
func (n Nullable[T]) IsZero() bool { return !n.sent }

// MarshalJSON writes the value, or null.
func (n Nullable[T]) MarshalJSON() ([]byte, error) { return json.Marshal(n.value) }

// UnmarshalJSON reads the value, or null.
func (n *Nullable[T]) UnmarshalJSON(text []byte) error {
	n.sent = true
	return json.Unmarshal(text, &n.value)
}

// Ptr is a pointer to the value, for optional fields.
func Ptr[T any](value T) *T { return &value }
