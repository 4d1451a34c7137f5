import { type Gateway, type components, answered, tagged } from '@access-gateway/client';
import { CommandFault, EXIT } from '../../exit-codes.js';
import { guardrail } from '../fields.js';
import { type Kind, fieldsIn, gathered } from '../kind.js';
import type { Wanted } from '../policy-file.js';

type View = components['schemas']['GuardrailView'];

/** Guardrails, which block or mask content on the way to a target and back. */
export async function guardrailsOf(gateway: Gateway): Promise<Kind> {
  const { api } = gateway;
  const connections = await gathered(gateway.each('/connections'));
  const ids = new Map(connections.map(({ id, name }) => [name, id]));
  const names = new Map(connections.map(({ id, name }) => [id, name]));
  const fieldsOf = (view: View): Wanted => ({
    ...fieldsIn(view, guardrail),
    connection_names: view.connection_ids.map((id) => names.get(id) ?? id),
  });
  const bodyOf = (wanted: Wanted): components['schemas']['GuardrailBody'] => {
    const { connection_names: named, ...body } = guardrail.parse(wanted);
    return {
      ...body,
      connection_ids: named.map((name) => {
        const id = ids.get(name);
        if (id === undefined)
          throw new CommandFault(`guardrail ${wanted.name}: there is no connection ${name}`, EXIT.notFound);
        return id;
      }),
    };
  };
  const one = (id: string, etag: string) => ({ path: { id }, header: { 'If-Match': etag } });
  return {
    section: 'guardrails',
    label: 'guardrail',
    defaults: guardrail.parse({ name: '' }),
    all: async () =>
      (await gathered(gateway.each('/guardrails'))).map((view) => ({
        id: view.id,
        fields: fieldsOf(view),
        managedBy: view.managed_by,
      })),
    read: async (id) => {
      const { data, etag } = await tagged(api.GET('/guardrails/{id}', { params: { path: { id } } }));
      return { id, fields: fieldsOf(data), managedBy: data.managed_by, etag };
    },
    check: bodyOf,
    create: async (wanted) => {
      const made = await answered(api.POST('/guardrails', { body: bodyOf(wanted) }));
      return { fields: fieldsOf(made), warnings: made.warnings };
    },
    update: async ({ id, etag }, wanted) => {
      const params = one(id, etag);
      const made = await answered(api.PUT('/guardrails/{id}', { params, body: bodyOf(wanted) }));
      return { fields: fieldsOf(made), warnings: made.warnings };
    },
    remove: async ({ id, etag }) => {
      await api.DELETE('/guardrails/{id}', { params: one(id, etag) });
    },
  };
}
