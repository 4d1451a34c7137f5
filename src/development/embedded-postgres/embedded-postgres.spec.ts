import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, utimesSync, writeFileSync } from 'node:fs';
import { chmod, mkdtemp, readFile, readdir, realpath, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { volume } from '../../../test/support/volume';
import { startEmbeddedPostgres, type EmbeddedPostgres } from './embedded-postgres';
import { thisHost } from './host';
import { isServerOf, processIsAlive } from './postmaster-pid';
import { withClient } from './server-hold';

/**
 * Parent folder of database clusters: in memory if possible, because disk writes would take most of the time.
 */
const folder = process.env['TEST_FOLDER'] ?? tmpdir();
let base: string;
let dataDir: string;
let lines: string[];
const servers: EmbeddedPostgres[] = [];
const others: ChildProcess[] = [];

beforeEach(async () => {
  base = await realpath(await mkdtemp(join(folder, 'gateway-pg-')));
  await chmod(base, 0o755); // as root the server's user must pass through it
  dataDir = join(base, 'data');
  lines = [];
});

afterEach(async () => {
  for (const other of others.splice(0)) other.kill('SIGKILL');
  await Promise.all(servers.splice(0).map((server) => server.stop()));
  const pid = await serverPid().catch(() => 0);
  if (await serverRuns(pid)) process.kill(pid, 'SIGQUIT');
  await rm(base, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
});

async function start(
  options: Partial<Parameters<typeof startEmbeddedPostgres>[0]> = {},
): Promise<EmbeddedPostgres> {
  const log = (line: string): void => void lines.push(line);
  const host = { ...thisHost, fallbackRoot: base };
  const server = await startEmbeddedPostgres({ dataDir, durable: false, log, ...options }, host);
  servers.push(server);
  return server;
}

async function query(server: EmbeddedPostgres, sql: string, database = 'postgres'): Promise<unknown[][]> {
  const text = { text: sql, rowMode: 'array' } as const;
  return (await withClient(server.url(database), (client) => client.query<unknown[]>(text))).rows;
}

/** Gives each test a copy of one cluster, so that `initdb` runs only once. */
function onMadeCluster(): void {
  let made: string;

  beforeAll(async () => {
    made = await realpath(await mkdtemp(join(folder, 'gateway-pg-made-')));
    await chmod(made, 0o755);
    const host = { ...thisHost, fallbackRoot: made };
    const options = { dataDir: join(made, 'data'), durable: false, log: () => undefined };
    await (await startEmbeddedPostgres(options, host)).stop();
  });

  // `-a` keeps the owner of the files, because another user owns them when root runs these tests.
  beforeEach(() => void execFileSync('cp', ['-a', join(made, 'data'), dataDir]));

  afterAll(() => rm(made, { recursive: true, force: true }));
}

const pidFile = (): string => join(dataDir, 'postgres', 'postmaster.pid');
const serverPid = async (): Promise<number> => Number((await readFile(pidFile(), 'utf8')).split('\n')[0]);
const serverRuns = (pid: number): Promise<boolean> => isServerOf(join(dataDir, 'postgres'), pid);
const onLinux = process.platform === 'linux' ? it : it.skip;

function otherProcess(): ChildProcess {
  const script = join(__dirname, 'other-process.fixture.cjs');
  const other = spawn(process.execPath, [script, dataDir], { stdio: ['pipe', 'pipe', 'inherit'] });
  others.push(other);
  return other;
}

async function portOf(other: ChildProcess): Promise<number> {
  const [chunk] = (await once(other.stdout!, 'data')) as [Buffer];
  return Number(chunk.toString());
}

async function kill(other: ChildProcess): Promise<void> {
  other.kill('SIGKILL');
  await once(other, 'exit');
}

/** Kills the server with SIGKILL, so that its pid file remains. */
async function crash(): Promise<void> {
  const pid = await serverPid();
  process.kill(pid, 'SIGKILL');
  while (processIsAlive(pid)) await delay(10);
  servers.length = 0;
}

/** Simulates a reused pid: writes the pid of a live process of the server's user into the pid file. */
async function reusePid(command: string): Promise<void> {
  const { uid, gid } = await stat(join(dataDir, 'postgres'));
  const identity = process.getuid?.() === 0 ? { uid, gid } : {};
  const stranger = spawn('/bin/sh', ['-c', command], { ...identity, stdio: ['ignore', 'pipe', 'ignore'] });
  others.push(stranger);
  const [pid] = (await once(stranger.stdout, 'data')) as [Buffer];
  await delay(50);
  const text = await readFile(pidFile(), 'utf8');
  writeFileSync(pidFile(), text.replace(/^\d+/, pid.toString().trim()));
}

describe('a first start', () => {
  it('makes a UTF-8 cluster that asks everybody for a password, on loopback only', async () => {
    const server = await start();
    expect(await query(server, 'SELECT current_user::text, getdatabaseencoding()')).toEqual([
      ['gateway', 'UTF8'],
    ]);
    expect(await query(server, 'SELECT DISTINCT datlocprovider, datlocale FROM pg_database')).toEqual([
      ['b', 'C.UTF-8'],
    ]);
    expect(await query(server, 'SELECT DISTINCT auth_method FROM pg_hba_file_rules')).toEqual([
      ['scram-sha-256'],
    ]);
    expect(await query(server, 'SHOW listen_addresses')).toEqual([['127.0.0.1']]);
    expect(await query(server, 'SHOW unix_socket_directories')).toEqual([['']]);
    const wrong = server.url('postgres').replace(/:[0-9a-f]+@/, ':wrong@');
    await expect(withClient(wrong, () => Promise.resolve())).rejects.toMatchObject({ code: '28P01' });
  });

  it('is done again after one that was killed midway', async () => {
    const other = otherProcess();
    const unfinished = async (): Promise<string[]> =>
      (await readdir(dataDir).catch(() => [])).filter((name) => name.startsWith('.postgres-init-'));
    const halfDone = async (): Promise<boolean> =>
      existsSync(join(dataDir, (await unfinished())[0] ?? 'none', 'data', 'global'));
    while (!(await halfDone())) await delay(5);
    await kill(other);
    expect(existsSync(join(dataDir, 'postgres'))).toBe(false);
    expect(await query(await start(), 'SELECT 1')).toEqual([[1]]);
    expect(await unfinished()).toEqual([]);
  });
});

describe('several at once', () => {
  it('agree on one server from nothing, and the last one out stops it', async () => {
    const [one, two] = [otherProcess(), otherProcess()] as const;
    const server = await start();
    expect([await portOf(one), await portOf(two)]).toEqual([server.port, server.port]);
    const pid = await serverPid();
    one.stdin!.end();
    await Promise.all([once(one, 'exit'), server.stop()]);
    expect(lines.join()).toContain('it stays');
    expect(await serverRuns(pid)).toBe(true);
    two.stdin!.end();
    await once(two, 'exit');
    expect(await serverRuns(pid)).toBe(false);
  });
});

describe('with a cluster that is there', () => {
  onMadeCluster();

  it('keeps the password in a file that is for our eyes only, and off every command line', async () => {
    const server = await start();
    const file = join(dataDir, 'postgres.password');
    const password = await readFile(file, 'utf8');
    expect(server.url('x')).toContain(password);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(lines.join()).not.toContain(password);
    const all = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
    const commands = all.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''));
    expect((await Promise.all(commands)).join()).not.toContain(password);
  });

  it('is durable unless told otherwise, and passes settings on', async () => {
    const server = await start({ durable: true, settings: { work_mem: '7MB' } });
    expect(await query(server, `SELECT current_setting('fsync'), current_setting('work_mem')`)).toEqual([
      ['on', '7MB'],
    ]);
    await server.stop();
    expect(await query(await start(), 'SHOW fsync')).toEqual([['off']]);
  });

  onLinux('puts the server into a session of its own, out of reach of Ctrl-C', async () => {
    await start();
    const pid = await serverPid();
    const [, , group, session] = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]!.split(' ');
    expect([Number(group), Number(session)]).toEqual([pid, pid]);
  });

  describe('databases', () => {
    it('are made once, from a template if wanted, and survive stop and start', async () => {
      const first = await start();
      await first.createDatabase('Ünï "q" base');
      await first.createDatabase('Ünï "q" base');
      await query(first, 'CREATE TABLE t AS SELECT 42 AS answer', 'Ünï "q" base');
      await first.createDatabase('copy', 'Ünï "q" base');
      await expect(first.createDatabase('copy', 'Ünï "q" base')).rejects.toMatchObject({ code: '42P04' });
      await Promise.all([first.stop(), first.stop()]);
      expect(existsSync(pidFile())).toBe(false);
      expect(await query(await start(), 'SELECT answer FROM t', 'copy')).toEqual([[42]]);
    });
  });

  describe('after a crash', () => {
    it('of the gateway: the orphan server is adopted, and stopped by the adopter', async () => {
      const other = otherProcess();
      const port = await portOf(other);
      const pid = await serverPid();
      await kill(other);
      const server = await start();
      expect(server.port).toBe(port);
      expect(await serverPid()).toBe(pid);
      expect(lines.join()).toContain('adopted');
      await server.stop();
      expect(await serverRuns(pid)).toBe(false);
    });

    it('of the server: its pid file does not stand in the way, and committed data are there', async () => {
      await query(await start({ durable: true }), 'CREATE TABLE t AS SELECT 42 AS answer');
      await crash();
      expect(await query(await start(), 'SELECT answer FROM t')).toEqual([[42]]);
      expect(lines.join()).toContain('not shut down');
    });

    it.each([
      ['another program', 'echo $$; exec sleep 100'],
      ['a zombie', 'true & echo $!; exec sleep 100'],
    ])('of the server: nor does %s that has its pid by now', async (_, command) => {
      await query(await start({ durable: true }), 'CREATE TABLE t AS SELECT 42 AS answer');
      await crash();
      await reusePid(command);
      expect(await query(await start(), 'SELECT answer FROM t')).toEqual([[42]]);
    });

    it('in the middle of writing the pid file', async () => {
      await (await start()).stop();
      writeFileSync(pidFile(), '');
      utimesSync(pidFile(), 0, 0);
      expect(await query(await start(), 'SELECT 1')).toEqual([[1]]);
    });
  });

  it('a start waits for a server that is shutting down, then starts it again', async () => {
    for (let round = 0; round < volume(2, 3); round += 1) {
      const server = await start();
      const [again] = await Promise.all([start(), server.stop()]);
      expect(await query(again, 'SELECT 1')).toEqual([[1]]);
      await again.stop();
    }
  });

  describe('a start that cannot work fails with a sentence', () => {
    it('with the end of the server log', async () => {
      await expect(start({ settings: { shared_buffers: 'plenty' } })).rejects.toThrow(
        /PostgreSQL did not start.*\n.*invalid value for parameter "shared_buffers": "plenty"/,
      );
    });

    it('when the folder holds something else', async () => {
      await (await start()).stop();
      await rm(join(dataDir, 'postgres', 'PG_VERSION'));
      await expect(start()).rejects.toThrow(/holds no PostgreSQL data.*DATA_DIR/);
    });

    it('when the password is wrong or gone, and leaves no server behind', async () => {
      await (await start()).stop();
      writeFileSync(join(dataDir, 'postgres.password'), 'wrong');
      await expect(start()).rejects.toThrow(/refuses the password/);
      expect(existsSync(pidFile())).toBe(false);
      await rm(join(dataDir, 'postgres.password'));
      await expect(start()).rejects.toThrow(/password .* cannot be read/);
    });
  });
});
