import { type Gateway, answered, tagged } from '@access-gateway/client';
import { connection } from '../fields.js';
import { type Kind, fieldsIn, gathered } from '../kind.js';

/** Policy fields of connections. Files cannot create or delete connections, because files hold no secrets. */
export function connectionsOf(gateway: Gateway): Kind {
  const { api } = gateway;
  const path = '/connections/{nameOrID}';
  return {
    section: 'connections',
    label: 'connection',
    all: async () =>
      (await gathered(gateway.each('/connections'))).map((view) => ({
        id: view.id,
        fields: fieldsIn(view, connection),
        managedBy: view.managed_by,
      })),
    read: async (id) => {
      const { data, etag } = await tagged(api.GET(path, { params: { path: { nameOrID: id } } }));
      return { id, fields: fieldsIn(data, connection), managedBy: data.managed_by, etag };
    },
    update: async ({ id, etag }, wanted) => {
      const made = await answered(
        api.PATCH(path, {
          params: { path: { nameOrID: id }, header: { 'If-Match': etag } },
          body: connection.parse(wanted),
        }),
      );
      return { fields: fieldsIn(made, connection), warnings: made.warnings };
    },
  };
}
