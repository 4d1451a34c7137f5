import { once } from 'node:events';
import { type IncomingMessage, get } from 'node:http';
import { describeDataPath } from '../support/describe';
import { issue } from '../support/credentials';
import { foundFaults } from '../support/watched-answers';

interface Field {
  readonly name: string;
  readonly required: boolean;
  readonly confidential: boolean;
  readonly placeholder: string | null;
  readonly choices: readonly string[];
  readonly only_with: { readonly field: string; readonly values: readonly string[] } | null;
}
interface Kind {
  readonly type: string;
  readonly subtype: string;
  readonly secret_fields: readonly Field[];
  readonly secret_prefix: string | null;
  readonly client_endpoint: { readonly url_template: string | null } | null;
}

// promises: CONNECTION-18
describeDataPath('GET /connection-kinds', ({ path }) => {
  let kinds: readonly Kind[];

  beforeAll(async () => {
    const { status, body } = await path.gateway.call('alice', 'GET', '/connection-kinds');
    expect(status).toBe(200);
    kinds = body.data;
  });

  const create = (kind: Kind, secret: object) =>
    path.gateway.call('admin', 'POST', '/connections', {
      name: `kind-${kind.subtype}`,
      type: kind.type,
      subtype: kind.subtype,
      secret,
    });
  const valueOf = ({ choices, placeholder }: Field): string => choices[0] ?? placeholder ?? 'x';
  const requiredOf = ({ secret_fields: fields }: Kind): Record<string, string> =>
    Object.fromEntries(fields.filter(({ required }) => required).map((one) => [one.name, valueOf(one)]));

  it('shows what each kind is and can do', async () => {
    const { hostname } = new URL(path.gateway.api);
    const port = path.gateway.variables['POSTGRES_PROXY_PORT'];
    expect(kinds).toEqual([
      {
        type: 'database',
        subtype: 'postgres',
        title: 'PostgreSQL',
        language: 'postgresql',
        secret_fields: expect.any(Array),
        secret_prefix: null,
        client_endpoint: {
          protocol: 'postgresql',
          issues_credentials: true,
          url_template: `postgres://{username}:{password}@${hostname}:${port}/{database}?sslmode=disable`,
        },
        runs_scripts: true,
        lists_tables: true,
        has_queries: true,
        has_mcp_policy: false,
      },
      {
        type: 'application',
        subtype: 'mcpproxy',
        title: 'MCP server',
        language: 'tool-call',
        secret_fields: expect.any(Array),
        secret_prefix: 'HEADER_',
        client_endpoint: {
          protocol: 'mcp',
          issues_credentials: false,
          url_template: `${path.gateway.api}/mcp/{connection}`,
        },
        runs_scripts: false,
        lists_tables: false,
        has_queries: false,
        has_mcp_policy: true,
      },
      {
        type: 'application',
        subtype: 'ssh',
        title: 'SSH server',
        language: 'shell',
        secret_fields: expect.any(Array),
        secret_prefix: null,
        client_endpoint: { protocol: 'ssh', url_template: null, issues_credentials: true },
        runs_scripts: true,
        lists_tables: false,
        has_queries: false,
        has_mcp_policy: false,
      },
    ]);
  });

  it('hides fields that give access, and no others', () => {
    const confidential = kinds.flatMap(({ secret_fields: fields }) =>
      fields.filter((field) => field.confidential).map(({ name }) => name),
    );
    expect(confidential).toEqual(['PASS', 'MCP_CLIENT_SECRET', 'PASS', 'PRIVATE_KEY', 'PASSPHRASE']);
  });

  it('is the same for all who are signed in, and for nobody else', async () => {
    for (const person of ['admin', 'auditor'] as const)
      expect((await path.gateway.call(person, 'GET', '/connection-kinds')).body.data).toEqual(kinds);
    const stranger = await fetch(`${path.gateway.api}/connection-kinds`);
    expect([stranger.status, stranger.headers.get('www-authenticate')]).toEqual([
      401,
      expect.stringMatching(/^Bearer/),
    ]);
  });

  it('has an ETag, and answers 304 to it', async () => {
    const first = await conditional();
    expect([first.statusCode, first.headers.etag]).toEqual([200, expect.stringMatching(/^(?:W\/)?".+"$/)]);
    expect((await conditional(first.headers.etag)).statusCode).toBe(304);
    // The API description does not list 304, because HTTP itself defines it.
    expect(foundFaults()).toEqual(['GET /connection-kinds 304: the status is not described']);
    expect((await conditional('"other"')).statusCode).toBe(200);
  });

  /** Sends a conditional GET. `fetch` would add `cache-control: no-cache`, and so never get 304. */
  const conditional = async (etag?: string): Promise<IncomingMessage> => {
    const authorization = `Bearer ${await path.gateway.token('alice')}`;
    const condition = etag === undefined ? {} : { 'if-none-match': etag };
    const request = get(`${path.gateway.api}/connection-kinds`, { headers: { authorization, ...condition } });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    response.resume();
    return response;
  };

  it('names the fields by which a secret is checked: required, choices, others', async () => {
    for (const kind of kinds) {
      const complete = requiredOf(kind);
      for (const name of Object.keys(complete)) {
        const without = { ...complete, [name]: '' };
        const refused = await create(kind, without);
        expect([refused.status, refused.body.message]).toEqual([
          422,
          expect.stringContaining(`secret.${name} is required`),
        ]);
      }
      for (const { name, choices } of kind.secret_fields.filter((field) => field.choices.length > 0)) {
        const { status, body } = await create(kind, { ...complete, [name]: 'no such choice' });
        expect([status, body.message]).toEqual([422, `secret.${name} must be one of ${choices.join(', ')}`]);
      }
      const unknown = await create(kind, { ...complete, NO_SUCH_FIELD: 'x' });
      expect(unknown.body.message).toContain('secret.NO_SUCH_FIELD is not known');
      // An SSH server takes either of two fields.
      const either = kind.subtype === 'ssh' ? { PASS: 'x' } : {};
      const free = kind.secret_prefix === null ? {} : { [`${kind.secret_prefix}x`]: 'y' };
      const made = await create(kind, { ...complete, ...either, ...free });
      expect([kind.subtype, made.status]).toEqual([kind.subtype, 201]);
    }
  });

  it('says which fields have an effect only with a value of another one', async () => {
    for (const kind of kinds)
      for (const { name, only_with: condition, ...field } of kind.secret_fields) {
        if (condition === null) continue;
        const other = kind.secret_fields.find((one) => one.name === condition.field);
        const without = other?.choices.find((choice) => !condition.values.includes(choice)) ?? '';
        // The empty text: the other field is not set.
        const chosen = condition.values.filter((value) => value !== '');
        expect(other?.choices).toEqual(expect.arrayContaining([...chosen, without]));
        const value = field.placeholder ?? valueOf({ name, only_with: condition, ...field });
        const url = /URL|ISSUER|RESOURCE/.test(name) ? 'https://a.example.com' : value;
        const { status, body } = await create(kind, {
          ...requiredOf(kind),
          [condition.field]: without,
          [name]: url,
        });
        expect([name, status, body.message]).toEqual([
          name,
          422,
          expect.stringContaining(`secret.${name} has no effect with ${condition.field}=${without}`),
        ]);
      }
  });

  it('has the addresses that clients are given', async () => {
    const [postgres, mcp] = kinds;
    const issued = await issue(path.gateway);
    const { username, password, database_name: database, ...client } = issued.body.connection_credentials;
    const filled = postgres?.client_endpoint?.url_template
      ?.replace('{username}', username)
      .replace('{password}', password)
      .replace('{database}', database);
    expect(client.connection_string).toBe(filled);
    const address = mcp?.client_endpoint?.url_template?.replace('{connection}', 'tools') ?? '';
    expect((await fetch(address, { method: 'POST' })).status).toBe(401);
  });
});
