import { type ChildProcess, spawn } from 'node:child_process';
import { appendFile, chown, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { eventually } from '../eventually';
import { freePort } from '../free-port';
import { debianAccount, serverPrograms } from './server-programs';

const PASSWORD = 'canary-server-password';

/**
 * A PostgreSQL server from Debian's packages, set up as operators do: durable, with a log, and with the
 * programs for backups.
 */
export class DebianServer {
  private receiver: ChildProcess | undefined;

  private constructor(
    /** Folder of the server's data. Backups are stored in it as well. */
    readonly folder: string,
    readonly port: number,
    private readonly programs: string,
  ) {}

  static async start(folder: string): Promise<DebianServer> {
    const programs = serverPrograms();
    if (programs === undefined) throw new Error('there are no programs of a PostgreSQL server');
    const server = new DebianServer(join(folder, 'server'), await freePort(), programs);
    await mkdir(server.folder);
    const account = debianAccount();
    if (account !== undefined) await chown(server.folder, account.uid, account.gid);
    const passwords = join(server.folder, 'password');
    await writeFile(passwords, PASSWORD, { mode: 0o644 });
    await server.call(
      'initdb',
      '-D',
      server.data,
      '-U',
      'admin',
      '-A',
      'scram-sha-256',
      '--pwfile',
      passwords,
      '-E',
      'UTF8',
      '--locale=C.UTF-8',
    );
    await appendFile(
      join(server.data, 'postgresql.conf'),
      `port = ${server.port}\nlisten_addresses = '127.0.0.1'\nunix_socket_directories = ''\n`,
    );
    await server.call('pg_ctl', '-D', server.data, '-l', join(server.folder, 'log'), '-w', 'start');
    await server.query('CREATE DATABASE gateway', 'postgres');
    return server;
  }

  /** The data directory of PostgreSQL (PGDATA). */
  get data(): string {
    return join(this.folder, 'data');
  }

  url(database = 'gateway'): string {
    return `postgres://admin:${PASSWORD}@127.0.0.1:${this.port}/${database}`;
  }

  /** Environment variables for the commands of an operations page. */
  get variables(): Record<string, string> {
    return {
      PATH: `${this.programs}:${process.env['PATH'] ?? ''}`,
      ADMIN_URL: this.url('postgres'),
      BACKUP: join(this.folder, 'backup'),
      PGDATA: this.data,
    };
  }

  async query<T extends object>(sql: string, database = 'gateway'): Promise<T[]> {
    const client = new Client({ connectionString: this.url(database) });
    await client.connect();
    try {
      return (await client.query<T>(sql)).rows;
    } finally {
      await client.end();
    }
  }

  /** Starts a long-running command of an operations page. `lose` and `close` end it. */
  keepRunning(script: string): void {
    this.receiver = spawn('bash', ['-c', `exec ${script.trim()}`], {
      cwd: '/',
      env: this.variables,
      stdio: 'ignore',
      ...debianAccount(),
    });
  }

  /** Simulates the loss of the machine: stops the server without a clean shutdown, and deletes its data. */
  async lose(): Promise<void> {
    const [pid] = (await readFile(join(this.data, 'postmaster.pid'), 'utf8')).split('\n');
    await this.call('pg_ctl', '-D', this.data, '-m', 'immediate', '-w', 'stop');
    await eventually('the server is gone', async () => !isAlive(Number(pid)));
    await this.endReceiver();
    await rm(this.data, { recursive: true, force: true });
  }

  async close(): Promise<void> {
    await this.endReceiver();
    await this.call('pg_ctl', '-D', this.data, '-m', 'immediate', '-w', 'stop').catch(() => undefined);
  }

  private async endReceiver(): Promise<void> {
    const { receiver } = this;
    this.receiver = undefined;
    if (receiver === undefined || receiver.exitCode !== null || receiver.signalCode !== null) return;
    const gone = new Promise((resolve) => receiver.once('exit', resolve));
    receiver.kill('SIGTERM');
    await gone;
  }

  /** Runs a program. Waits only for its exit, because a server that it started keeps the output open. */
  private async call(program: string, ...args: string[]): Promise<void> {
    const child = spawn(join(this.programs, program), args, {
      cwd: '/',
      env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C.UTF-8' },
      stdio: ['ignore', 'ignore', 'pipe'],
      ...debianAccount(),
    });
    let complaints = '';
    child.stderr.on('data', (data: Buffer) => (complaints += data.toString()));
    const code = await new Promise<number | null>((resolve) => child.once('exit', resolve));
    child.stderr.destroy();
    if (code !== 0) throw new Error(`${program} ended with ${code}: ${complaints}`);
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
