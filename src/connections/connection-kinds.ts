/** What a kind of connection needs to know of its target: the names in `secret`. */
export interface ConnectionKind {
  readonly type: string;
  readonly subtype: string;
  readonly fields: Readonly<Record<string, SecretField>>;
  /** Names with this prefix are free (the headers of an MCP server). */
  readonly freePrefix?: string;
}

interface SecretField {
  readonly required?: true;
  /** Says what is wrong with a value, or nothing. */
  readonly check?: (value: string) => string | undefined;
}

const oneOf =
  (...values: string[]) =>
  (value: string) =>
    values.includes(value) ? undefined : `must be one of ${values.join(', ')}`;

function portNumber(value: string): string | undefined {
  return /^\d{1,5}$/.test(value) && Number(value) >= 1 && Number(value) <= 65_535
    ? undefined
    : 'must be a port number';
}

function webAddress(value: string): string | undefined {
  const isWeb = URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
  return isWeb ? undefined : 'must be an http or https address';
}

export const connectionKinds: readonly ConnectionKind[] = [
  {
    type: 'database',
    subtype: 'postgres',
    fields: {
      HOST: { required: true },
      PORT: { check: portNumber },
      USER: { required: true },
      PASS: {},
      DB: { required: true },
      SSLMODE: { check: oneOf('disable', 'prefer', 'require', 'verify-ca', 'verify-full') },
      SSLROOTCERT: {},
    },
  },
  {
    type: 'application',
    subtype: 'mcpproxy',
    fields: {
      REMOTE_URL: { required: true, check: webAddress },
      MCP_TRANSPORT: { check: oneOf('streamable-http', 'sse') },
      MCP_AUTH: { check: oneOf('none', 'static', 'oauth') },
    },
    freePrefix: 'HEADER_',
  },
];

export function kindOf(type: string, subtype: string): ConnectionKind | undefined {
  return connectionKinds.find((kind) => kind.type === type && kind.subtype === subtype);
}

/** Everything that is wrong with a secret, in plain words; never a value of it. */
export function faultsOf(kind: ConnectionKind, secret: Readonly<Record<string, string>>): string[] {
  const known = Object.entries(kind.fields).flatMap(([name, field]) => {
    const value = secret[name];
    if (value === undefined || value === '') return field.required ? [`secret.${name} is required`] : [];
    const fault = field.check?.(value);
    return fault === undefined ? [] : [`secret.${name} ${fault}`];
  });
  const unknown = Object.keys(secret)
    .filter(
      (name) =>
        !Object.hasOwn(kind.fields, name) &&
        !(kind.freePrefix !== undefined && name.startsWith(kind.freePrefix)),
    )
    .map((name) => `secret.${name} is not known for ${kind.type}/${kind.subtype}`);
  return [...known, ...unknown];
}
