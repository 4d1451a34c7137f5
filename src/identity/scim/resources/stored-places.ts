import type { StoredPlaces } from '../filter/filter-sql';
import type { AttributePath } from '../schema/attribute-path';

const USER_COLUMNS: Readonly<Record<string, string>> = {
  id: 'listed.id::text',
  externalId: 'listed.external_id',
  userName: 'listed.user_name',
  active: 'CASE WHEN listed.active_assigned THEN listed.active END',
  'meta.resourceType': `'User'::text`,
  'meta.created': 'listed.created_at',
  'meta.lastModified': 'listed.updated_at',
  'meta.version': `('W/"' || listed.version || '"')`,
};

const GROUP_COLUMNS: Readonly<Record<string, string>> = {
  ...USER_COLUMNS,
  'meta.resourceType': `'Group'::text`,
  displayName: 'listed.display_name',
};

/** SQL expressions for users' attributes. `listed` is the alias of the table `scim_users`. */
export const USER_PLACES: StoredPlaces = {
  single: (path) => columnOf(USER_COLUMNS, path) ?? inJson('listed.attributes', path),
  many: ({ attribute }) =>
    attribute.name === 'groups'
      ? {
          from: `scim_group_members AS member JOIN scim_groups AS named ON named.id = member.group_id AND member.user_id = listed.id`,
          part: (sub) =>
            sub === 'value' ? 'named.id::text' : sub === 'display' ? 'named.display_name' : 'NULL::text',
        }
      : {
          from: `jsonb_array_elements(coalesce(listed.attributes -> '${attribute.name}', '[]')) AS element`,
          part: (sub) => `(element ->> '${sub}')`,
        },
};

/** SQL expressions for groups' attributes. `listed` is the alias of the table `scim_groups`. */
export const GROUP_PLACES: StoredPlaces = {
  single: (path) => columnOf(GROUP_COLUMNS, path) ?? 'NULL::text',
  many: () => ({
    from: `scim_group_members AS member JOIN scim_users AS person ON person.id = member.user_id AND member.group_id = listed.id`,
    part: (sub) =>
      sub === 'value'
        ? 'person.id::text'
        : sub === 'display'
          ? 'person.user_name'
          : sub === 'type'
            ? `'User'::text`
            : 'NULL::text',
  }),
};

function columnOf(columns: Readonly<Record<string, string>>, path: AttributePath): string | undefined {
  if (path.extension !== undefined) return undefined;
  const { attribute, sub } = path;
  if (attribute.name === 'meta' && sub === undefined) return 'listed.created_at';
  const name = sub === undefined ? attribute.name : `${attribute.name}.${sub.name}`;
  if (attribute.name === 'meta') return columns[name] ?? 'NULL::text';
  return columns[name];
}

/** Returns the SQL expression of a value in a JSON column. Names are not escaped: none contains a quote. */
function inJson(column: string, { extension, attribute, sub }: AttributePath): string {
  const names = [extension, attribute.name, sub?.name].filter((name) => name !== undefined);
  const last = names.pop() ?? '';
  const before = names.map((name) => ` -> '${name}'`).join('');
  const isText = attribute.type !== 'complex' || sub !== undefined;
  return `(${column}${before} ${isText ? '->>' : '->'} '${last}')`;
}
