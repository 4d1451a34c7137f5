import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../../support/eventually';
import type { Person, TestGateway } from '../../support/gateway';
import { ROOT } from '../../support/root';

/** Path of the built command line program. */
const PROGRAM = join(ROOT, 'dist/cli/gateway.mjs');

export type Variables = Readonly<Record<string, string>>;

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** A run of the command line program as a process. */
export class Run {
  out = '';
  err = '';
  readonly ended: Promise<Ended>;
  readonly child: ChildProcess;

  constructor(args: readonly string[], env: Variables, input: string | Buffer = '') {
    this.child = spawn(process.execPath, [PROGRAM, ...args], { env: variablesOf(env) });
    this.child.stdout?.on('data', (data: Buffer) => (this.out += data.toString()));
    this.child.stderr?.on('data', (data: Buffer) => (this.err += data.toString()));
    this.child.stdin?.on('error', () => undefined).end(input);
    this.ended = new Promise((resolve) =>
      this.child.once('close', (code) => resolve({ code, out: this.out, err: this.err })),
    );
  }

  /** Waits until the pattern appears on standard error. */
  says(pattern: RegExp): Promise<RegExpExecArray> {
    return eventually(`it says ${pattern}: ${this.err}`, async () => pattern.exec(this.err) ?? undefined);
  }
}

/** Returns the environment of a person's shell, without other variables of this process. */
export function variablesOf(env: Variables): Record<string, string> {
  return { PATH: process.env['PATH'] ?? '', HOME: tmpdir(), GATEWAY_KEYCHAIN: 'off', ...env };
}

/** The command as a line for the shell. */
export function commandOf(...args: readonly string[]): string {
  return [process.execPath, PROGRAM, ...args].map((part) => `'${part}'`).join(' ');
}

/** The command line for one gateway, with a configuration folder of its own. */
export class CommandLine {
  readonly folder = mkdtempSync(join(tmpdir(), 'gateway-cli-'));

  constructor(private readonly gateway: () => TestGateway) {}

  get url(): string {
    return new URL(this.gateway().api).origin;
  }

  /** Variables for commands of the person who signed in at the command line. */
  get signedIn(): Variables {
    return { GATEWAY_CONFIG_DIR: this.folder, GATEWAY_URL: this.url };
  }

  /** Variables for commands with a person's token of the identity provider, without a sign-in. */
  async as(person: Person): Promise<Variables> {
    return {
      GATEWAY_CONFIG_DIR: join(this.folder, 'nobody'),
      GATEWAY_URL: this.url,
      GATEWAY_TOKEN: await this.gateway().token(person),
    };
  }

  /** Runs as the admin, unless the variables set another user. */
  async run(args: readonly string[], env?: Variables, input?: string | Buffer): Promise<Ended> {
    return new Run(args, env ?? (await this.as('admin')), input).ended;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
