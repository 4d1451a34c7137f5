import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PythonEnvironments } from '../../conformance/python';
import { variables } from '../../support/psql';
import type { Way } from '../../support/wire-path';

const run = promisify(execFile);
/** How long a program may take, on a slow machine. */
const RUN_MS = 300_000;

/** What a program prints. */
export interface Outcome {
  readonly versions: Readonly<Record<string, string>>;
  /** What it saw, by check: the same directly and through the gateway. */
  readonly seen: Readonly<Record<string, unknown>>;
  /** The program's own errors for statements that the rules refuse, in order; null where a statement was run. */
  readonly refused: readonly (readonly string[] | null)[];
}

/** Folders of one test run: environments of programs, and what programs write. */
export class Programs {
  private readonly runs = mkdtempSync(join(tmpdir(), 'programs-'));

  private constructor(readonly python: PythonEnvironments) {}

  static begin(): Programs {
    return new Programs(PythonEnvironments.begin());
  }

  close(): void {
    this.python.close();
    rmSync(this.runs, { recursive: true, force: true });
  }

  /** A new folder for what one run writes. */
  scratch(): string {
    return mkdtempSync(join(this.runs, 'run-'));
  }
}

export interface Program {
  readonly name: string;
  readonly rule: 'drops are refused' | 'drops are needed';
  /** Why it cannot be tried on this machine; undefined: it can. */
  absent(): Promise<string | undefined>;
  /** Installs it. Returns the command, without the folder to write in. */
  install(programs: Programs): Promise<readonly string[]>;
}

/** Runs a program against a database. */
export async function outcomeOf(
  [program = '', ...args]: readonly string[],
  way: Way,
  folder: string,
): Promise<Outcome> {
  const { stdout } = await run(program, [...args, folder], {
    cwd: folder,
    env: { ...variables(way), HOME: folder, LANG: 'C.UTF-8', TZ: 'UTC' },
    timeout: RUN_MS,
    maxBuffer: 16 * 1024 * 1024,
  }).catch(({ message, stdout: out = '' }: { readonly message: string; readonly stdout?: string }) => {
    throw new Error(`${message}\n${out}`);
  });
  // The name of the database is the one difference between the two ways.
  const line = stdout.trim().split('\n').at(-1) ?? '';
  return JSON.parse(line.replaceAll(way.database, 'OWN')) as Outcome;
}

function inPython(script: string, packages: readonly string[]): Pick<Program, 'absent' | 'install'> {
  return {
    absent: () => PythonEnvironments.absent(),
    install: async ({ python }) => [await python.with(packages), join(__dirname, 'python', script)],
  };
}

/** The newest versions that the package registries alone can bring. */
export const PROGRAMS: readonly Program[] = [
  {
    name: 'SQLAlchemy',
    rule: 'drops are refused',
    ...inPython('with_sqlalchemy.py', ['SQLAlchemy==2.1.9', 'psycopg[binary]==3.3.9']),
  },
  {
    name: 'Django',
    rule: 'drops are refused',
    ...inPython('with_django.py', ['Django==5.2.19', 'psycopg[binary]==3.3.9']),
  },
  {
    name: 'dbt',
    // dbt replaces tables and views by dropping the old ones.
    rule: 'drops are needed',
    // dbt-core 1.12 brings a part from outside of the registry.
    ...inPython('with_dbt.py', ['dbt-core==1.11.16', 'dbt-postgres==1.10.0', 'psycopg2-binary==2.9.13']),
  },
  {
    name: 'Active Record',
    rule: 'drops are refused',
    absent: () =>
      run('ruby', ['-e', 'require "active_record"; require "pg"']).then(
        () => undefined,
        () => 'ruby with activerecord and pg (Debian: ruby-activerecord, ruby-pg)',
      ),
    // The versions are those of the system: Debian's packages have one each.
    install: () => Promise.resolve(['ruby', join(__dirname, 'ruby', 'active_record.rb')]),
  },
];
