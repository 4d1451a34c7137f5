import { describeGateway } from '../support/describe';
import { type ScimProvider, scimProvider } from '../support/scim/provider';

const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

interface Described {
  readonly name: string;
  readonly type: string;
  readonly multiValued: boolean;
  readonly required: boolean;
  readonly mutability: string;
  readonly subAttributes?: readonly Described[];
}

type Values = Readonly<Record<string, unknown>>;

interface Operation {
  readonly op: string;
  readonly path?: string;
  readonly value?: unknown;
}

/** A path that a PATCH operation can name, with the definition of its attribute in the schema. */
interface Row {
  readonly path: string;
  readonly extension: string | undefined;
  readonly attribute: Described;
  readonly sub: Described | undefined;
}

/** Returns all paths of a schema: its attributes and their sub-attributes. */
function rowsOf(schema: { readonly id: string; readonly attributes: readonly Described[] }): Row[] {
  const extension = schema.id === ENTERPRISE ? schema.id : undefined;
  const start = extension === undefined ? '' : `${extension}:`;
  return schema.attributes.flatMap((attribute) => [
    { path: `${start}${attribute.name}`, extension, attribute, sub: undefined },
    ...(attribute.subAttributes ?? []).map((sub) => ({
      path: `${start}${attribute.name}.${sub.name}`,
      extension,
      attribute,
      sub,
    })),
  ]);
}

/** Returns the values at a path: none, one, or the value of each element of a multi-valued attribute. */
function at(resource: Values, { extension, attribute, sub }: Row): unknown[] {
  const container = extension === undefined ? resource : (resource[extension] as Values | undefined);
  const value = container?.[attribute.name];
  const all: unknown[] = value === undefined ? [] : Array.isArray(value) ? (value as unknown[]) : [value];
  if (sub === undefined) return all;
  return all.map((one) => (one as Values)[sub.name]).filter((one) => one !== undefined);
}

/** Returns the resource without the values at the path. An operation on the path must not change the rest. */
function beside(resource: Values, { extension, attribute, sub }: Row): Values {
  const { meta: _, schemas: __, ...rest } = structuredClone(resource) as Record<string, unknown>;
  const container = extension === undefined ? rest : (rest[extension] as Record<string, unknown> | undefined);
  if (sub === undefined || attribute.multiValued) delete container?.[attribute.name];
  else {
    const parts = container?.[attribute.name] as Record<string, unknown> | undefined;
    delete parts?.[sub.name];
    if (Object.keys(parts ?? {}).length === 0) delete container?.[attribute.name];
  }
  if (extension !== undefined && Object.keys(container ?? {}).length === 0) delete rest[extension];
  return rest;
}

/**
 * Tries each operation on each attribute that `/Schemas` describes. A value that a provider adds is stored,
 * a removed value is gone, a read-only value stays, and no other value changes.
 */
describeGateway(
  'PATCH of every attribute',
  { environment: { SCIM_REQUESTS_PER_MINUTE: '100000' } },
  ({ gateway }) => {
    let scim: ScimProvider;
    let number = 0;
    let members: string[] = [];
    const rows: { user: Row[]; group: Row[] } = { user: [], group: [] };

    beforeAll(async () => {
      scim = await scimProvider(gateway);
      const { body } = await scim.send('GET', '/Schemas');
      for (const schema of body.Resources as { id: string; attributes: Described[] }[])
        rows[schema.id.endsWith(':Group') ? 'group' : 'user'].push(...rowsOf(schema));
      expect([rows.user.length, rows.group.length]).toEqual([31, 7]);
      members = [await scim.user('first'), await scim.user('second')];
    });

    /** A new value for the attribute. It differs from call to call. */
    function valueFor({ attribute, sub }: Row, isFirst: boolean): unknown {
      const described = sub ?? attribute;
      number += 1;
      if (described.type === 'boolean') return !isFirst;
      if (attribute.name === 'members') return [{ value: members[isFirst ? 0 : 1] }];
      if (described.type !== 'complex') return `value ${number}`;
      const parts = Object.fromEntries(
        (attribute.subAttributes ?? [])
          .filter(({ mutability }) => mutability === 'readWrite')
          .map((part) => [part.name, part.type === 'boolean' ? isFirst : `${part.name} ${number}`]),
      );
      return described.multiValued ? [parts] : parts;
    }

    /** Creates a resource with a value for every writable attribute. Returns its path. */
    async function filled(kind: 'user' | 'group'): Promise<string> {
      const body: Record<string, unknown> = {};
      for (const row of rows[kind].filter(({ sub }) => sub === undefined)) {
        if (row.attribute.mutability !== 'readWrite') continue;
        const value = valueFor(row, true);
        if (row.extension === undefined) body[row.attribute.name] = value;
        else body[row.extension] = { ...(body[row.extension] as object), [row.attribute.name]: value };
      }
      const path = kind === 'user' ? '/Users' : '/Groups';
      const created = await scim.send('POST', path, body);
      expect(created.status).toBe(201);
      return `${path}/${created.body.id}`;
    }

    async function read(place: string): Promise<Values> {
      return (await scim.send('GET', place)).body as Values;
    }

    const isFound = async (place: string, { path }: Row): Promise<boolean> => {
      const [, kind, id] = place.split('/');
      const filter = encodeURIComponent(`id eq "${id}" and ${path} pr`);
      return ((await scim.send('GET', `/${kind}?filter=${filter}`)).body.totalResults as number) === 1;
    };

    // promises: SCIM-2, SCIM-6
    it.each(['user', 'group'] as const)('of a %s is what was sent, or refused', async (kind) => {
      for (const row of rows[kind]) {
        const place = await filled(kind);
        const { path, attribute, sub } = row;
        const before = await read(place);
        const isReadOnly =
          attribute.mutability !== 'readWrite' || (sub !== undefined && sub.mutability !== 'readWrite');
        const isList = attribute.multiValued && sub === undefined;
        const operations: readonly [string, Operation][] = [
          ['remove', { op: 'remove', path }],
          ['add', { op: 'add', path, value: valueFor(row, false) }],
          ['replace', { op: 'replace', path, value: valueFor(row, true) }],
          ['replace by nothing', { op: 'replace', path, value: null }],
          ['add again', { op: 'add', path, value: valueFor(row, false) }],
          // Without a path, as Okta sends it.
          ['replace without a path', { op: 'replace', value: { [path]: valueFor(row, true) } }],
          ['replace by nothing without a path', { op: 'replace', value: { [path]: null } }],
        ];
        for (const [name, operation] of operations) {
          const label = `${path}, ${name}`;
          const was = await read(place);
          const { status, body } = await scim.patch(place, operation);
          const after = await read(place);
          const takes = name === 'remove' || name.includes('nothing');
          if (isReadOnly || (takes && attribute.required && sub === undefined)) {
            // Without a path, read-only attributes are ignored, because providers send back all they read.
            const isSilent = isReadOnly && operation.path === undefined && kind === 'user';
            expect([label, status]).toEqual([label, isSilent ? 200 : 400]);
            expect(after).toEqual(was);
            continue;
          }
          expect([label, status, body]).toEqual([label, 200, after]);
          expect([label, beside(after, row)]).toEqual([label, beside(before, row)]);
          expect([label, await isFound(place, row)]).toEqual([label, !takes]);
          if (takes) expect([label, at(after, row)]).toEqual([label, []]);
          else {
            const { value } = operation;
            const given = operation.path !== undefined ? value : (value as Values)[path];
            const wanted = isList ? (given as unknown[]) : [given];
            expect([label, at(after, row)]).toEqual([
              label,
              wanted.map((one) => (typeof one === 'object' ? expect.objectContaining(one as object) : one)),
            ]);
          }
        }
      }
    });

    // promises: SCIM-11
    it('leaves the access of a person whose active has no value as it was', async () => {
      for (const active of [true, false]) {
        const id = await scim.user(`unassigned-${String(active)}`, { active });
        const removed = await scim.patch(`/Users/${id}`, { op: 'remove', path: 'active' });
        expect([removed.status, removed.body.meta.version]).toEqual([200, 'W/"2"']);
        expect(removed.body).not.toHaveProperty('active');
        const again = await scim.patch(`/Users/${id}`, { op: 'remove', path: 'active' });
        expect(again.body).toEqual(removed.body);
        const silent = await scim.send('PUT', `/Users/${id}`, removed.body as object);
        expect(silent.body).toEqual(removed.body);
        const [row] = await gateway.database.query<{ active: boolean }>(
          'SELECT active FROM scim_users WHERE id = $1',
          [id],
        );
        expect(row?.active).toBe(active);
        const said = await scim.patch(`/Users/${id}`, { op: 'add', value: { active: true } });
        expect(said.body).toMatchObject({ active: true, meta: { version: 'W/"3"' } });
      }
    });
  },
);
