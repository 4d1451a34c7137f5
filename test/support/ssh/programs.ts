import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import type { TestGateway } from '../gateway';

/** Whether a program of others is installed here. */
export function hasProgram(name: string): boolean {
  return (process.env['PATH'] ?? '').split(':').some((folder) => existsSync(join(folder, name)));
}

/** Calls `describe`; if a program is not installed, `describe.skip` with the reason in the name. */
export function describeWithPrograms(name: string, programs: readonly string[], body: () => void): void {
  const missing = programs.filter((program) => !hasProgram(program) && !existsSync(`/usr/sbin/${program}`));
  if (missing.length === 0) describe(name, body);
  else describe.skip(`${name} (skipped: ${missing.join(', ')} not installed here)`, body);
}

/** The end of a program, with all that it wrote. */
export interface ProgramEnd {
  readonly code: number | null;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** A program that is running. */
export interface RunningProgram {
  readonly child: ChildProcess;
  readonly ended: Promise<ProgramEnd>;
  /** The output of the program so far. */
  stdout(): string;
  stderr(): string;
  /**
   * Asks the program to end, until it has ended: `ssh` (seen in OpenSSH 9.2) overlooks a signal that comes
   * just before it waits for packets, and ends with the next packet, which may be a minute later.
   */
  stop(): Promise<ProgramEnd>;
}

const ASKED_EVERY_MS = 200;

/** Credentials for the gateway's SSH port. */
export interface SshLogin {
  readonly user: string;
  readonly password: string;
  readonly port: number;
}

/**
 * Programs of OpenSSH, and programs that run `ssh`, with a folder of their own and no file of the person's.
 */
export class SshPrograms {
  private constructor(readonly folder: string) {}

  static async create(): Promise<SshPrograms> {
    const folder = await mkdtemp(join(process.env['TEST_FOLDER'] ?? tmpdir(), 'ssh-client-'));
    const programs = new SshPrograms(folder);
    await writeFile(join(folder, 'askpass'), '#!/bin/sh\nprintf "%s\\n" "$SSH_TEST_PASSWORD"\n');
    await chmod(join(folder, 'askpass'), 0o700);
    return programs;
  }

  /**
   * Options of ssh, scp and sftp. Host keys are in the file known_hosts of the folder. `more` comes first,
   * because the first value of an option counts.
   */
  options(more: readonly string[] = []): string[] {
    const all = [
      ...more,
      `UserKnownHostsFile=${join(this.folder, 'known_hosts')}`,
      'GlobalKnownHostsFile=/dev/null',
      'NumberOfPasswordPrompts=1',
      'PubkeyAuthentication=no',
      'LogLevel=ERROR',
    ];
    return ['-F', '/dev/null', ...all.flatMap((option) => ['-o', option])];
  }

  async trust(line: string): Promise<void> {
    await writeFile(join(this.folder, 'known_hosts'), `${line}\n`);
  }

  start(
    program: string,
    args: readonly string[],
    { password }: Pick<SshLogin, 'password'>,
    environment: Record<string, string> = {},
  ): RunningProgram {
    const child = spawn(program, [...args], {
      cwd: this.folder,
      env: {
        PATH: process.env['PATH'],
        HOME: this.folder,
        DISPLAY: 'none',
        SSH_ASKPASS: join(this.folder, 'askpass'),
        SSH_ASKPASS_REQUIRE: 'force',
        SSH_TEST_PASSWORD: password,
        ...environment,
      },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on('data', (bytes: Buffer) => out.push(bytes));
    child.stderr.on('data', (bytes: Buffer) => err.push(bytes));
    // A program that ends early closes its input.
    child.stdin.on('error', () => undefined);
    const stdout = (): string => Buffer.concat(out).toString();
    const stderr = (): string => Buffer.concat(err).toString();
    const ended = once(child, 'close').then(([code]) => ({
      code: code as number | null,
      stdout: Buffer.concat(out),
      stderr: stderr(),
    }));
    const stop = (): Promise<ProgramEnd> => {
      child.kill();
      const again = setInterval(() => child.kill(), ASKED_EVERY_MS);
      return ended.finally(() => clearInterval(again));
    };
    return { child, ended, stdout, stderr, stop };
  }

  /** Runs `ssh` with a command, or with none, and ends its input. */
  ssh(
    login: SshLogin,
    command: readonly string[],
    { input, options = [], flags = [] }: SshRun = {},
  ): Promise<ProgramEnd> {
    const { child, ended } = this.startSsh(login, command, { options, flags });
    child.stdin?.end(input);
    return ended;
  }

  startSsh(
    login: SshLogin,
    command: readonly string[],
    { options = [], flags = [] }: SshRun = {},
  ): RunningProgram {
    const args = [...this.options(options), ...flags, '-p', String(login.port), `${login.user}@127.0.0.1`];
    return this.start('ssh', [...args, '--', ...command], login);
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }
}

interface SshRun {
  readonly input?: string | Buffer;
  readonly options?: readonly string[];
  readonly flags?: readonly string[];
}

/** Issues credentials for a connection, as the person. */
export async function issuedLogin(
  gateway: TestGateway,
  connection: string,
  person: 'admin' | 'alice' = 'alice',
  body: object = {},
): Promise<SshLogin & { readonly id: string }> {
  const answer = await gateway.call(person, 'POST', `/connections/${connection}/credentials`, body);
  if (answer.status !== 201) throw new Error(`no credentials: ${answer.text}`);
  const { username, password, port } = answer.body.connection_credentials;
  return { user: username, password, port, id: answer.body.id };
}
