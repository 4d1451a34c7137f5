import { type Gateway, answered, tagged } from '@access-gateway/client';
import { accessRule } from '../fields.js';
import { type Kind, fieldsIn, gathered } from '../kind.js';

/** Access request rules, which define the groups that must approve access to a connection. */
export function accessRulesOf(gateway: Gateway): Kind {
  const { api } = gateway;
  const path = '/access-requests/rules/{name}';
  const one = (name: string, etag: string) => ({ path: { name }, header: { 'If-Match': etag } });
  return {
    section: 'access_rules',
    label: 'access rule',
    defaults: accessRule.omit({ access_type: true }).parse({ name: '' }),
    all: async () =>
      (await gathered(gateway.each('/access-requests/rules'))).map((view) => ({
        id: view.name,
        fields: fieldsIn(view, accessRule),
        managedBy: view.managed_by,
      })),
    read: async (name) => {
      const { data, etag } = await tagged(api.GET(path, { params: { path: { name } } }));
      return { id: name, fields: fieldsIn(data, accessRule), managedBy: data.managed_by, etag };
    },
    create: async (wanted) => {
      const made = await answered(api.POST('/access-requests/rules', { body: accessRule.parse(wanted) }));
      return { fields: fieldsIn(made, accessRule), warnings: made.warnings };
    },
    update: async ({ id, etag }, wanted) => {
      const made = await answered(api.PUT(path, { params: one(id, etag), body: accessRule.parse(wanted) }));
      return { fields: fieldsIn(made, accessRule), warnings: made.warnings };
    },
    remove: async ({ id, etag }) => {
      await api.DELETE(path, { params: one(id, etag) });
    },
  };
}
