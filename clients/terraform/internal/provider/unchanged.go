package provider

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// unchanged reads the resource, which has to be as it is in the state: nobody's change is overwritten unseen. What is
// found is nil if the resource is gone, or if there is an error.
func (m *managed) unchanged(ctx context.Context, verb string, raw tftypes.Value, diagnostics *diag.Diagnostics) (*found, document) {
	state, err := documentOf(raw)
	if err != nil {
		m.failed(verb, err, diagnostics)
		return nil, nil
	}
	is, err := m.read(ctx, m.client, state)
	if err != nil || is == nil {
		m.failed(verb, err, diagnostics)
		return nil, state
	}
	value, err := m.stateOf(is, raw)
	if err != nil {
		m.failed(verb, err, diagnostics)
		return nil, state
	}
	changed, err := m.differences(raw, value)
	if err != nil {
		m.failed(verb, err, diagnostics)
		return nil, state
	}
	if len(changed) > 0 {
		m.conflict(verb, "Changed: "+strings.Join(changed, ", ")+".", diagnostics)
		return nil, state
	}
	return is, state
}

// differences are the fields that a configuration may set, and that are not the same in both.
func (m *managed) differences(one, other tftypes.Value) ([]string, error) {
	before, err := as[map[string]tftypes.Value](one)
	if err != nil {
		return nil, err
	}
	after, err := as[map[string]tftypes.Value](other)
	if err != nil {
		return nil, err
	}
	var names []string
	for name, field := range m.fields {
		if field.isSet() && !field.otherSide && !before[name].Equal(after[name]) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names, nil
}

func (m *managed) conflict(verb, detail string, diagnostics *diag.Diagnostics) {
	diagnostics.AddError("The "+m.label+" was changed since it was planned",
		fmt.Sprintf("%s Nothing was overwritten: the %s was not made. Plan again to see the change, and what becomes of it.", detail, verb))
}
