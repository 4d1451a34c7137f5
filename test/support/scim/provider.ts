import type { TestGateway } from '../gateway';

/** An answer of SCIM. */
export interface ScimAnswer {
  readonly status: number;
  readonly headers: Headers;
  // `any`, because tests read answers of every shape. Each expectation checks the type of its field.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
}

/** An identity provider that provisions users and groups. It sends a test's requests with its SCIM token. */
export interface ScimProvider {
  readonly id: string;
  readonly token: string;
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<ScimAnswer>;
  /** Creates a user with the external id. Returns the SCIM id. */
  user(externalId: string, more?: object): Promise<string>;
  /** Creates a group with these members. Returns the SCIM id. */
  group(displayName: string, members?: readonly string[]): Promise<string>;
  patch(path: string, ...operations: readonly object[]): Promise<ScimAnswer>;
}

const PATCH_URN = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

export async function scimProvider(
  gateway: TestGateway,
  admin: (method: string, path: string, body: object) => ReturnType<TestGateway['call']> = (...given) =>
    gateway.call('admin', ...given),
): Promise<ScimProvider> {
  const { body } = await admin('POST', '/scim-tokens', { name: `provider ${crypto.randomUUID()}` });
  const { id, token } = body as { id: string; token: string };
  const send: ScimProvider['send'] = (method, path, content, headers = {}) =>
    sendScim(gateway, token, method, path, content, headers);
  const created = async (path: string, content: object): Promise<string> => {
    const answer = await send('POST', path, content);
    if (answer.status !== 201) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
    return (answer.body as { id: string }).id;
  };
  return {
    id,
    token,
    send,
    user: (externalId, more = {}) =>
      created('/Users', { userName: `${externalId}@example.com`, externalId, ...more }),
    group: (displayName, members = []) =>
      created('/Groups', { displayName, members: members.map((value) => ({ value })) }),
    patch: (path, ...operations) => send('PATCH', path, { schemas: [PATCH_URN], Operations: operations }),
  };
}

export async function sendScim(
  gateway: Pick<TestGateway, 'api'>,
  token: string | undefined,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<ScimAnswer> {
  const response = await fetch(`${gateway.api}/scim/v2${path}`, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/scim+json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const isScim = response.headers.get('content-type')?.startsWith('application/scim+json') === true;
  return {
    status: response.status,
    headers: response.headers,
    body: isScim && text !== '' ? JSON.parse(text) : undefined,
  };
}
