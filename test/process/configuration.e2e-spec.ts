import { readdir, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { findServer } from '../../src/development/embedded-postgres/postmaster-pid';
import { describeProcesses } from '../support/describe';
import { freePort } from '../support/gateway';
import { GatewayProcess } from '../support/gateway-process';

describeProcesses('the start', ({ folder, production }) => {
  const occupant = createServer();

  afterAll(async () => {
    occupant.close();
  });

  /** Starts a gateway that must fail to start. Returns its exit code and its output. */
  async function refusal(environment: Record<string, string>) {
    const gateway = await GatewayProcess.spawn(environment);
    const { code } = await gateway.exited;
    expect(gateway.stderr).not.toMatch(/^\s+at /m);
    return { code, lines: gateway.stderr.trimEnd().split('\n'), stdout: gateway.stdout };
  }

  // promises: CONFIG-2
  it('refuses production with missing settings, and lists all of them', async () => {
    expect(await refusal({ NODE_ENV: 'production' })).toEqual({
      code: 1,
      stdout: '',
      lines: [
        'The configuration has 4 faults:',
        '  - DATABASE_URL: missing (required in production)',
        '  - IDP_ISSUER: missing (required in production)',
        '  - IDP_CLIENT_ID: missing (required in production)',
        '  - SECRET_KEY: missing (required in production)',
      ],
    });
  });

  // promises: CONFIG-1
  it('lists every malformed variable, and reveals no secret', async () => {
    const { code, lines } = await refusal({
      PORT: '80a',
      DATABASE_URL: 'mysql://root:canary@db/x',
      SECRET_KEY: 'canary',
      LOG_LEVEL: 'loud',
      TRUST_PROXY: '-1',
      LOGIN_REDIRECTS: 'https://portal.example.com, portal',
      IDP_CLIENT_SECRET_FILE: join(folder.path, 'nowhere'),
    });
    expect(code).toBe(1);
    expect(lines[0]).toBe('The configuration has 7 faults:');
    const named = lines.slice(1).map((line) => /^ {2}- (\w+): ./.exec(line)?.[1]);
    expect(new Set(named)).toEqual(
      new Set([
        'DATABASE_URL',
        'IDP_CLIENT_SECRET_FILE',
        'LOGIN_REDIRECTS',
        'LOG_LEVEL',
        'PORT',
        'SECRET_KEY',
        'TRUST_PROXY',
      ]),
    );
    expect(lines.join()).not.toContain('canary');
  });

  // promises: CONFIG-1, CONFIG-2
  it('reads secrets from files, and starts no services when all settings are given', async () => {
    const { DATABASE_URL = '', IDP_CLIENT_SECRET = '', SECRET_KEY = '', ...plain } = production.variables;
    const files = Object.entries({ DATABASE_URL, IDP_CLIENT_SECRET, SECRET_KEY }).map(
      async ([name, value]) => {
        await writeFile(join(folder.path, name), `${value}\n`);
        return [`${name}_FILE`, join(folder.path, name)];
      },
    );
    const dataDir = join(folder.path, 'data');
    const gateway = await GatewayProcess.spawn({
      ...plain,
      ...(Object.fromEntries(await Promise.all(files)) as Record<string, string>),
      DATA_DIR: dataDir,
    });
    await gateway.says('listening on');
    expect((await gateway.get('/userinfo', await production.token())).status).toBe(200);
    expect(await gateway.stop()).toEqual({ code: 0, signal: null });
    // The data folder has only the folder of the journal, which the gateway tests when it starts.
    expect(await readdir(dataDir)).toEqual(['journal']);
    expect(gateway.logLines().length).toBeGreaterThan(0);
  });

  it('reports a port in use, and leaves nothing running', async () => {
    const { port } = await occupied();
    const dataDir = join(folder.path, 'taken');
    const taken = await refusal({ DATA_DIR: dataDir, PORT: String(port) });
    expect(taken).toMatchObject({
      code: 1,
      lines: [`Something else listens on 127.0.0.1:${port} already. Stop it, or set PORT to a free port.`],
    });
    expect(taken.stdout).toContain('stopped PostgreSQL');
    const provider = await refusal({ DATA_DIR: dataDir, DEV_IDP_PORT: String(port) });
    expect(provider).toMatchObject({ code: 1, lines: [expect.stringContaining(`127.0.0.1:${port}`)] });
    expect(provider.lines[0]).toContain('DEV_IDP_PORT');
    expect(await findServer(join(dataDir, 'postgres'))).toEqual({ state: 'none' });
  });

  it.each([
    ['nothing answers', (url: URL, port: number) => (url.port = String(port)), 'cannot be reached'],
    ['the password is wrong', (url: URL) => (url.password = 'canary'), 'refuses the user or the password'],
    ['there is no such database', (url: URL) => (url.pathname = '/nowhere'), 'has no database of that name'],
  ])('says in plain words that the database cannot be used: %s', async (_, spoil, words) => {
    const url = new URL(production.variables['DATABASE_URL'] ?? '');
    spoil(url, await freePort());
    const { code, lines } = await refusal({ ...production.variables, DATABASE_URL: url.href });
    expect(code).toBe(1);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('DATABASE_URL');
    expect(lines[0]).toContain(words);
    expect(lines[0]).not.toContain('canary');
  });

  async function occupied(): Promise<{ port: number }> {
    await new Promise<void>((listening) => occupant.listen(0, '127.0.0.1', listening));
    return occupant.address() as AddressInfo;
  }
});
