import { type Gateway, answered, tagged } from '@access-gateway/client';
import { attribute } from '../fields.js';
import { type Kind, fieldsIn, gathered } from '../kind.js';

/** Attributes: labels that join connections to rules. Connections and rules list the attributes they have. */
export function attributesOf(gateway: Gateway): Kind {
  const { api } = gateway;
  const one = (name: string, etag: string) => ({ path: { name }, header: { 'If-Match': etag } });
  return {
    section: 'attributes',
    label: 'attribute',
    defaults: attribute.parse({ name: '' }),
    all: async () =>
      (await gathered(gateway.each('/attributes'))).map((view) => ({
        id: view.name,
        fields: fieldsIn(view, attribute),
        managedBy: null,
      })),
    read: async (name) => {
      const { data, etag } = await tagged(api.GET('/attributes/{name}', { params: { path: { name } } }));
      return { id: name, fields: fieldsIn(data, attribute), managedBy: null, etag };
    },
    create: async (wanted) => {
      const made = await answered(api.POST('/attributes', { body: attribute.parse(wanted) }));
      return { fields: fieldsIn(made, attribute), warnings: [] };
    },
    update: async ({ id, etag }, wanted) => {
      const { description } = attribute.parse(wanted);
      const made = await answered(
        api.PUT('/attributes/{name}', { params: one(id, etag), body: { description } }),
      );
      return { fields: fieldsIn(made, attribute), warnings: [] };
    },
    remove: async ({ id, etag }) => {
      await api.DELETE('/attributes/{name}', { params: one(id, etag) });
    },
  };
}
