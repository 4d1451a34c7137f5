package provider

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	gateway "github.com/access-gateway/access-gateway/clients/go"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// managed is a resource of one kind.
type managed struct {
	kind
	known  *knownGateway
	client *gateway.Client
}

var (
	_ resource.ResourceWithConfigure      = (*managed)(nil)
	_ resource.ResourceWithImportState    = (*managed)(nil)
	_ resource.ResourceWithModifyPlan     = (*managed)(nil)
	_ resource.ResourceWithValidateConfig = (*managed)(nil)
)

func (m *managed) Metadata(_ context.Context, request resource.MetadataRequest, response *resource.MetadataResponse) {
	response.TypeName = request.ProviderTypeName + "_" + m.kind.name
}

func (m *managed) Schema(_ context.Context, _ resource.SchemaRequest, response *resource.SchemaResponse) {
	response.Schema = schema.Schema{MarkdownDescription: m.about, Attributes: m.fields.attributes()}
}

func (m *managed) Configure(_ context.Context, request resource.ConfigureRequest, _ *resource.ConfigureResponse) {
	// Nothing is configured while Terraform validates.
	if known, is := request.ProviderData.(*knownGateway); is {
		m.known, m.client = known, known.client
	}
}

func (m *managed) ValidateConfig(_ context.Context, request resource.ValidateConfigRequest, response *resource.ValidateConfigResponse) {
	m.checked(request.Config.Raw, m.check, &response.Diagnostics)
}

// ModifyPlan refuses to make what the gateway would refuse, and fills in what the gateway would.
func (m *managed) ModifyPlan(ctx context.Context, request resource.ModifyPlanRequest, response *resource.ModifyPlanResponse) {
	if request.Plan.Raw.IsNull() {
		return
	}
	// Also of what replaces another: Terraform asks for it with no state.
	if request.State.Raw.IsNull() {
		m.checked(request.Config.Raw, m.checkNew, &response.Diagnostics)
	}
	if m.plan == nil || m.known == nil {
		return
	}
	config, err := documentOf(request.Config.Raw)
	if err != nil {
		m.failed("plan", err, &response.Diagnostics)
		return
	}
	m.plan(ctx, m.known, config, &planned{label: m.label, plan: &response.Plan, diagnostics: &response.Diagnostics})
}

// planned is what Terraform plans for a resource.
type planned struct {
	label       string
	plan        *tfsdk.Plan
	diagnostics *diag.Diagnostics
}

// fault is what the gateway would refuse.
func (p *planned) fault(at path.Path, sentence string) {
	p.diagnostics.AddAttributeError(at, "The gateway would refuse this "+p.label, sentence)
}

// fill sets a field that the configuration leaves open.
func (p *planned) fill(ctx context.Context, name string, value attr.Value) {
	p.diagnostics.Append(p.plan.SetAttribute(ctx, path.Root(name), value)...)
}

func (m *managed) checked(config tftypes.Value, check func(document, func(path.Path, string)), diagnostics *diag.Diagnostics) {
	if check == nil {
		return
	}
	fields, err := documentOf(config)
	if err != nil {
		diagnostics.AddError("The configuration cannot be read", err.Error())
		return
	}
	check(fields, (&planned{label: m.label, diagnostics: diagnostics}).fault)
}

func (m *managed) Create(ctx context.Context, request resource.CreateRequest, response *resource.CreateResponse) {
	want, err := m.wanted(request.Plan.Raw, request.Config.Raw)
	if err != nil {
		m.failed("create", err, &response.Diagnostics)
		return
	}
	made, err := m.create(ctx, m.client, want)
	if err != nil {
		m.failed("create", err, &response.Diagnostics)
		return
	}
	response.State.Raw, err = m.stateOf(made, request.Plan.Raw)
	m.told(made, err, &response.Diagnostics)
}

func (m *managed) Read(ctx context.Context, request resource.ReadRequest, response *resource.ReadResponse) {
	state, err := documentOf(request.State.Raw)
	if err != nil {
		m.failed("read", err, &response.Diagnostics)
		return
	}
	is, err := m.read(ctx, m.client, state)
	switch {
	case err != nil:
		m.failed("read", err, &response.Diagnostics)
	case is == nil:
		response.State.RemoveResource(ctx)
	default:
		response.State.Raw, err = m.stateOf(is, request.State.Raw)
		if err != nil {
			m.failed("read", err, &response.Diagnostics)
		}
	}
}

func (m *managed) Update(ctx context.Context, request resource.UpdateRequest, response *resource.UpdateResponse) {
	// What follows is the state until the change was made.
	response.State.Raw = request.State.Raw
	want, err := m.wanted(request.Plan.Raw, request.Config.Raw)
	if err != nil {
		m.failed("update", err, &response.Diagnostics)
		return
	}
	was, state := m.unchanged(ctx, "update", request.State.Raw, &response.Diagnostics)
	if response.Diagnostics.HasError() {
		return
	}
	if was == nil {
		response.Diagnostics.AddError("The "+m.label+" was deleted since it was planned", "Nothing was changed. Plan again to make it anew.")
		return
	}
	is, err := m.update(ctx, m.client, was, state, want)
	if err != nil {
		m.failed("update", err, &response.Diagnostics)
		return
	}
	response.State.Raw, err = m.stateOf(is, request.Plan.Raw)
	m.told(is, err, &response.Diagnostics)
}

func (m *managed) Delete(ctx context.Context, request resource.DeleteRequest, response *resource.DeleteResponse) {
	was, _ := m.unchanged(ctx, "delete", request.State.Raw, &response.Diagnostics)
	if was == nil {
		return
	}
	if err := m.remove(ctx, m.client, was); err != nil && !gateway.HasStatus(err, http.StatusNotFound) {
		m.failed("delete", err, &response.Diagnostics)
	}
}

func (m *managed) ImportState(ctx context.Context, request resource.ImportStateRequest, response *resource.ImportStateResponse) {
	is, err := m.find(ctx, m.client, request.ID)
	switch {
	case err != nil:
		m.failed("import", err, &response.Diagnostics)
	case is == nil:
		response.Diagnostics.AddError("There is no such "+m.label, fmt.Sprintf("The gateway has no %s with the %s %q.", m.label, m.importedBy, request.ID))
	default:
		response.State.Raw, err = m.stateOf(is, response.State.Raw)
		m.told(is, err, &response.Diagnostics)
	}
}

// wanted is the plan, with the arguments that only the configuration has because they are never written down.
func (m *managed) wanted(plan, config tftypes.Value) (document, error) {
	want, err := documentOf(plan)
	if err != nil {
		return nil, err
	}
	given, err := documentOf(config)
	for name, field := range m.fields {
		if field.writeOnly {
			want[name] = given[name]
		}
	}
	return want, err
}

// stateOf is what the gateway has, with what only Terraform knows from the plan or the state before.
func (m *managed) stateOf(is *found, before tftypes.Value) (tftypes.Value, error) {
	value, err := valueOf(is.fields, before.Type())
	if err != nil || before.IsNull() {
		return value, err
	}
	all, err := as[map[string]tftypes.Value](value)
	if err != nil {
		return value, err
	}
	kept, err := as[map[string]tftypes.Value](before)
	for name, field := range m.fields {
		if field.ours && err == nil {
			all[name] = kept[name]
		}
	}
	return tftypes.NewValue(before.Type(), all), err
}

// failed explains an error; nil is none.
func (m *managed) failed(verb string, err error, diagnostics *diag.Diagnostics) {
	switch {
	case err == nil:
	case gateway.HasStatus(err, http.StatusPreconditionFailed):
		m.conflict(verb, "Somebody was faster.", diagnostics)
	default:
		summary := fmt.Sprintf("The gateway did not %s the %s", verb, m.label)
		diagnostics.AddError(summary, explained(err))
		var refused *gateway.Error
		isRefused := errors.As(err, &refused)
		switch {
		case verb == "create" && !isRefused:
			diagnostics.AddWarning(summary, "The answer was lost, so it may be there all the same. Then import it: terraform import, or an import block.")
		case verb == "create" && refused.Status == http.StatusConflict:
			diagnostics.AddWarning(summary, "To manage the one that is there, import it: terraform import, or an import block.")
		}
	}
}

// told adds what the gateway warns of.
func (m *managed) told(is *found, err error, diagnostics *diag.Diagnostics) {
	if err != nil {
		diagnostics.AddError("The answer of the gateway cannot be kept", err.Error())
	}
	for _, warning := range is.warnings {
		diagnostics.AddWarning("The gateway warns of the "+m.label+" "+is.name(), warning)
	}
}
