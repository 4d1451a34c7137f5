import { createPrivateKey, randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeWith, makeCertificate } from '../../../test/support/tls';
import { ConfigurationError, readEnvironment } from './environment';
import { secretVariables } from './secret-variables';
import { variables } from './variables';

function withPassphrase(key: string): string {
  const options = { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'canary' } as const;
  return createPrivateKey(key).export(options).toString();
}

const KEY = randomBytes(32).toString('base64');
const PRODUCTION = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgres://gateway:secret@db.example.com/gateway',
  IDP_ISSUER: 'https://id.example.com/realms/main',
  IDP_CLIENT_ID: 'gateway',
  SECRET_KEY: KEY,
};

function faultsOf(env: NodeJS.ProcessEnv): readonly string[] {
  try {
    readEnvironment(env);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.faults;
    throw error;
  }
  return [];
}

describe('readEnvironment', () => {
  it('needs nothing in development, and takes the defaults of the contract', () => {
    expect(readEnvironment({})).toMatchObject({
      HOST: '127.0.0.1',
      PORT: 8009,
      WORKERS: 1,
      API_PREFIX: '/api',
      DATA_DIR: '.data',
      IDP_GROUPS_CLAIM: 'groups',
      ADMIN_GROUP: 'admin',
      AUDITOR_GROUP: 'auditor',
      LOG_LEVEL: 'info',
    });
  });

  it('takes what production needs, and is not disturbed by variables of others', () => {
    expect(readEnvironment({ ...PRODUCTION, PATH: '/bin', PGPORT: 'x' })).toMatchObject({
      ...PRODUCTION,
      SECRET_KEY: [Buffer.from(KEY, 'base64')],
    });
  });

  it.each(['MCP_ALLOWED_HOSTS', 'WEBHOOK_ALLOWED_HOSTS'] as const)(
    'takes the hosts of %s as the URL parser has them, however they are written',
    (name) => {
      const written =
        'LocalHost, MCP.Internal.Example,[::1],FE80:0::1,BÜCHER.example,127.0.0.1,a_b.svc,host:80';
      const hosts = readEnvironment({ [name]: written })[name];
      expect(hosts).toEqual([
        'localhost',
        'mcp.internal.example',
        '::1',
        'fe80::1',
        'xn--bcher-kva.example',
        '127.0.0.1',
        'a_b.svc',
        'host:80',
      ]);
      const asked = [
        'http://LOCALHOST/',
        'http://mcp.INTERNAL.example/',
        'http://[FE80::1]/',
        'http://bücher.example/',
      ];
      for (const url of asked) expect(hosts).toContain(new URL(url).hostname.replace(/^\[|\]$/g, ''));
      expect(hosts).not.toContain('host');
    },
  );

  it('counts an empty variable as absent', () => {
    expect(readEnvironment({ PORT: '', API_URL: '' })).toEqual(readEnvironment({}));
    expect(faultsOf({ ...PRODUCTION, SECRET_KEY: '' })).toEqual([
      'SECRET_KEY: missing (required in production)',
    ]);
  });

  it.each(['DATABASE_URL', 'IDP_ISSUER', 'IDP_CLIENT_ID', 'SECRET_KEY'])('needs %s in production', (name) => {
    expect(faultsOf({ ...PRODUCTION, [name]: undefined })).toEqual([
      `${name}: missing (required in production)`,
    ]);
  });

  it('needs the client id beside an issuer, in development too', () => {
    expect(faultsOf({ IDP_ISSUER: 'https://id.example.com' })).toEqual([
      'IDP_CLIENT_ID: missing (required with IDP_ISSUER)',
    ]);
  });

  it.each([
    ['NODE_ENV', ['staging', 'Production']],
    ['PORT', ['0', '65536', '-1', '80a', '8e3', '0x50', ' ', '1.5']],
    ['WORKERS', ['0', '65', 'auto']],
    ['API_URL', ['gateway', 'ftp://x', '//x']],
    ['API_PREFIX', ['api', '/', '/api/', '/a b', '/../x?']],
    ['TRUST_PROXY', ['true', '11']],
    ['DATABASE_URL', ['mysql://x/y', 'localhost:5432']],
    ['DATABASE_POOL_SIZE', ['1', '501']],
    ['IDP_ISSUER', ['id.example.com']],
    ['IDP_GROUPS_AUTHORITATIVE', ['yes', '1']],
    ['LOGIN_REDIRECTS', ['intranet', 'https://a.example.com, nonsense', 'https://x/path']],
    ['SECRET_KEY', ['short', ',', `${KEY},short`, randomBytes(31).toString('base64')]],
    ['HEARTBEAT_SECONDS', ['0', '61']],
    ['METRICS_PORT', ['-1', '65536', 'off']],
    ['POSTGRES_PROXY_PORT', ['-1', '65536', 'off']],
    ['POSTGRES_PROXY_HANDSHAKE_SECONDS', ['0', '601']],
    ['POSTGRES_PROXY_CLIENTS', ['0', '100001']],
    ['POSTGRES_PROXY_IDLE_MINUTES', ['-1', '525601']],
    ['SSH_PROXY_PORT', ['-1', '65536', 'off']],
    ['SSH_PROXY_HOST', ['[::1]', 'ssh.example.com:22', 'ssh://gw']],
    ['SSH_PROXY_HANDSHAKE_SECONDS', ['0', '601']],
    ['SSH_PROXY_CLIENTS', ['0', '100001']],
    ['SSH_PROXY_IDLE_MINUTES', ['-1', '525601']],
    ['SHUTDOWN_GRACE_SECONDS', ['-1', '601']],
    ['POSTGRES_PROXY_PORT', ['65536', '-1', '5432x']],
    ['POSTGRES_PROXY_HOST', ['[::1]', 'db.example.com:5432', 'postgres://db', 'a b', '-/-', 'a..b']],
    ['MCP_OWN_HOSTS', ['gateway:8009', 'http://gateway', '*', 'a b', '*.example.com']],
    ['WEBHOOK_TIMEOUT_SECONDS', ['0', '61']],
    ['WEBHOOK_RETRY_SECONDS', [',', '0', '5,later', '604801', Array(21).fill('5').join(',')]],
    ['WEBHOOK_RETENTION_DAYS', ['0', '3651']],
    ['LOG_LEVEL', ['verbose']],
  ])('refuses a malformed %s by name, without repeating it', (name, values) => {
    for (const value of values) {
      const faults = faultsOf({ IDP_CLIENT_ID: 'x', [name]: value });
      expect(faults).toEqual([expect.stringMatching(new RegExp(`^${name}: \\w`))]);
      if (value.length > 4 && name !== 'NODE_ENV') expect(faults.join()).not.toContain(value);
    }
  });

  it('tells every fault at once', () => {
    const faults = faultsOf({ NODE_ENV: 'production', PORT: 'x', LOG_LEVEL: 'y', SECRET_KEY: 'z' });
    expect(faults.map((fault) => fault.split(':')[0])).toEqual([
      'PORT',
      'SECRET_KEY',
      'LOG_LEVEL',
      'DATABASE_URL',
      'IDP_ISSUER',
      'IDP_CLIENT_ID',
    ]);
    expect(new ConfigurationError(faults).message).toContain('6 faults');
  });

  it('splits lists, and takes several keys for rotation', () => {
    const other = randomBytes(32).toString('base64');
    expect(
      readEnvironment({
        ADMIN_EMAILS: ' a@example.com, ,b@example.com ',
        LOGIN_REDIRECTS: 'https://portal.example.com,http://localhost:*,http://[::1]:3000',
        SECRET_KEY: `${KEY}, ${other}`,
      }),
    ).toMatchObject({
      ADMIN_EMAILS: ['a@example.com', 'b@example.com'],
      LOGIN_REDIRECTS: ['https://portal.example.com', 'http://localhost:*', 'http://[::1]:3000'],
      SECRET_KEY: [Buffer.from(KEY, 'base64'), Buffer.from(other, 'base64')],
    });
  });
});

describe('secrets from files', () => {
  let folder: string;
  const file = async (name: string, content: string): Promise<string> => {
    await writeFile(join(folder, name), content);
    return join(folder, name);
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gateway-settings-'));
  });

  afterAll(() => rm(folder, { recursive: true }));

  it('are read without the line break at their end, and satisfy production', async () => {
    const { SECRET_KEY: _, DATABASE_URL: __, ...plain } = PRODUCTION;
    const read = readEnvironment({
      ...plain,
      DATABASE_URL_FILE: await file('url', `${PRODUCTION.DATABASE_URL}\n`),
      SECRET_KEY_FILE: await file('key', `${KEY}\n`),
      IDP_CLIENT_SECRET_FILE: await file('client', 'hush\r\n'),
    });
    expect(read).toMatchObject({
      DATABASE_URL: PRODUCTION.DATABASE_URL,
      SECRET_KEY: [Buffer.from(KEY, 'base64')],
      IDP_CLIENT_SECRET: 'hush',
    });
  });

  it('are one fault when the file cannot be read, is empty, or stands beside the variable', async () => {
    const empty = await file('empty', '\n');
    const { SECRET_KEY: _, ...plain } = PRODUCTION;
    expect(faultsOf({ ...plain, SECRET_KEY_FILE: join(folder, 'none') })).toEqual([
      expect.stringMatching(/^SECRET_KEY_FILE: .*ENOENT/),
    ]);
    expect(faultsOf({ ...plain, SECRET_KEY_FILE: empty })).toEqual([`SECRET_KEY_FILE: ${empty} is empty`]);
    expect(faultsOf({ ...PRODUCTION, SECRET_KEY_FILE: empty })).toEqual([
      'SECRET_KEY and SECRET_KEY_FILE are both set; keep one',
    ]);
  });

  it('are possible for every variable that holds a secret, and for certificates', () => {
    const secret = Object.keys(variables.shape).filter((name) =>
      /SECRET|PASSWORD|ACCESS_KEY_ID$|DATABASE_(?:REPLICA_)?URL$|^(?:TLS|SYSLOG)_(?:CA|CERT|KEY)$|^OTEL_.*_HEADERS$/.test(
        name,
      ),
    );
    expect([...secretVariables].sort()).toEqual(secret.sort());
  });
});

describeWith('openssl')('a certificate', () => {
  const { cert, key } = makeCertificate();

  it('is taken with its key, from files too', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gateway-settings-'));
    const [TLS_CERT_FILE, TLS_KEY_FILE] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
    await Promise.all([writeFile(TLS_CERT_FILE, cert), writeFile(TLS_KEY_FILE, key)]);
    const pair = { TLS_CERT: cert.trim(), TLS_KEY: key.trim() };
    expect(readEnvironment({ TLS_CERT_FILE, TLS_KEY_FILE })).toMatchObject(pair);
    expect(readEnvironment(pair)).toMatchObject(pair);
    await rm(folder, { recursive: true });
    expect(faultsOf({ TLS_CERT_FILE, TLS_KEY_FILE })).toEqual([
      expect.stringMatching(/^TLS_CERT_FILE: .*ENOENT/),
      expect.stringMatching(/^TLS_KEY_FILE: .*ENOENT/),
    ]);
  });

  it('is a fault without its key, with another key, or when it is none; and is not repeated', () => {
    expect(faultsOf({ TLS_CERT: cert })).toEqual(['TLS_KEY: missing (required with TLS_CERT)']);
    expect(faultsOf({ TLS_KEY_FILE: '/nowhere' })).toContain('TLS_CERT: missing (required with TLS_KEY)');
    const words: string[] = [];
    for (const pair of [
      { TLS_CERT: cert, TLS_KEY: makeCertificate().key },
      { TLS_CERT: 'canary', TLS_KEY: key },
      { TLS_CERT: cert, TLS_KEY: 'canary' },
      { TLS_CERT: cert, TLS_KEY: withPassphrase(key) },
    ]) {
      const faults = faultsOf(pair);
      expect(faults).toEqual([expect.stringMatching(/^TLS_CERT: cannot be used with TLS_KEY \(/)]);
      words.push(/\((.*)\)$/.exec(faults[0] ?? '')?.[1] ?? '');
      expect(faults.join()).not.toMatch(/canary|BEGIN/);
    }
    expect(words).toEqual([
      'TLS_KEY is the key of another certificate',
      'TLS_CERT is no certificate in PEM',
      'TLS_KEY is no private key in PEM',
      'TLS_KEY is protected by a passphrase; give it without one',
    ]);
  });

  it('is for all ports, unless some are named', () => {
    expect(readEnvironment({}).TLS_PORTS).toEqual(['rest', 'postgres', 'metrics']);
    expect(readEnvironment({ TLS_PORTS: 'postgres' }).TLS_PORTS).toEqual(['postgres']);
    expect(faultsOf({ TLS_PORTS: 'postgres, smtp' })).toEqual([
      'TLS_PORTS: must list some of rest, postgres and metrics',
    ]);
  });
});
