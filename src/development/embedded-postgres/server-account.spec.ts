import { chmod, chown, cp, mkdir, mkdtemp, readFile, readdir, realpath, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres, type EmbeddedPostgres } from './embedded-postgres';
import { thisHost, type Host } from './host';

// Only root can choose the account under which the PostgreSQL server runs.
const describeAsRoot = thisHost.isRoot ? describe : describe.skip;

describeAsRoot('as root', () => {
  /** Parent folder of clusters: in memory if possible, because disk writes would take most of the time. */
  let base: string;
  let host: Host;
  let lines: string[];
  const servers: EmbeddedPostgres[] = [];

  beforeEach(async () => {
    base = await realpath(await mkdtemp(join(process.env['TEST_FOLDER'] ?? tmpdir(), 'gateway-pg-root-')));
    await chmod(base, 0o755);
    await mkdir(join(base, 'closed'), { mode: 0o700 });
    host = { ...thisHost, fallbackRoot: join(base, 'var') };
    lines = [];
  });

  afterEach(async () => {
    await stopAll();
    await rm(base, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  });

  async function start(folder: string, on: Partial<Host> = {}): Promise<EmbeddedPostgres> {
    const options = {
      dataDir: join(base, folder),
      durable: false,
      log: (line: string) => void lines.push(line),
    };
    const server = await startEmbeddedPostgres(options, { ...host, ...on });
    servers.push(server);
    return server;
  }

  async function stopAll(): Promise<void> {
    await Promise.all(servers.splice(0).map((server) => server.stop()));
  }

  async function serverUid(home: string): Promise<number> {
    const pid = (await readFile(join(home, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0];
    return (await stat(join('/proc', String(pid)))).uid;
  }

  const nobodyOnly = (name: string) =>
    name === 'nobody' ? thisHost.findAccount(name) : Promise.resolve(undefined);

  it('hands the cluster, and nothing else, to the OS user postgres or nobody, and says so', async () => {
    await start('data');
    const account = (await thisHost.findAccount('postgres')) ?? (await thisHost.findAccount('nobody'));
    expect(await serverUid(join(base, 'data'))).toBe(account!.uid);
    expect((await stat(join(base, 'data', 'postgres'))).uid).toBe(account!.uid);
    for (const name of ['', 'postgres.password', 'postgres.log']) {
      expect((await stat(join(base, 'data', name))).uid).toBe(0);
    }
    expect(lines.join()).toContain(`runs as the OS user ${account!.name}`);
  });

  it('takes the OS user nobody where there is no postgres, and keeps the owner of the data later on', async () => {
    await start('data', { findAccount: nobodyOnly });
    const nobody = await thisHost.findAccount('nobody');
    expect(await serverUid(join(base, 'data'))).toBe(nobody!.uid);
    await stopAll();
    await start('data');
    expect(await serverUid(join(base, 'data'))).toBe(nobody!.uid);
  });

  it('says what to do where there is neither', async () => {
    const none = { findAccount: () => Promise.resolve(undefined) };
    await expect(start('data', none)).rejects.toThrow(/refuses to run as root.*DATABASE_URL/);
  });

  it('works for a project in a folder closed to others, and finds the same data later, even if opened', async () => {
    const packageRoot = join(base, 'closed', 'package');
    await cp(thisHost.packageRoot()!, packageRoot, { recursive: true, verbatimSymlinks: true });
    const inClosed = { packageRoot: () => packageRoot };
    await (await start('closed/data', inClosed)).createDatabase('kept');
    const [fallback, ...more] = await readdir(join(base, 'var'));
    expect(more).toEqual([]);
    expect(lines.join()).toContain(`lives in ${join(base, 'var', fallback!)} instead`);
    expect(lines.join()).toContain('copied the PostgreSQL programs');
    await stopAll();
    lines = [];
    await chmod(join(base, 'closed'), 0o755);
    await expect((await start('closed/data')).createDatabase('more', 'kept')).resolves.toBeUndefined();
    await stopAll();
    await chmod(join(base, 'closed'), 0o700);
    await start('closed/data', inClosed);
    expect(lines.join()).not.toContain('copied');
  });

  it('does not begin anew where data exist that it cannot reach', async () => {
    await start('open/data');
    await stopAll();
    await chmod(join(base, 'open'), 0o700);
    await expect(start('open/data')).rejects.toThrow(/cannot reach .*open\/data.*DATA_DIR/);
  });

  it('refuses a fallback folder that somebody else prepared', async () => {
    await start('closed/data');
    await stopAll();
    const [fallback] = await readdir(join(base, 'var'));
    await chown(join(base, 'var', fallback!), 65_534, 65_534);
    await expect(start('closed/data')).rejects.toThrow(/belongs to, or is writable by, another/);
  });
});
