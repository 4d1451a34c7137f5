import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { aloneWithMaven } from '../../client/maven';
import { PythonEnvironments } from '../../conformance/python';
import { variables } from '../../support/psql';
import type { Way } from '../../support/wire-path';

const run = promisify(execFile);
/** Time limit of a program, on a slow machine. */
const RUN_MS = 300_000;

/** Output of a program, as JSON. */
export interface Outcome {
  readonly versions: Readonly<Record<string, string>>;
  /** Results of the program, by check. They must be the same directly and through the gateway. */
  readonly seen: Readonly<Record<string, unknown>>;
  /**
   * Errors of the program, in order, for the steps that rules or the connection refuse. Null: not refused.
   */
  readonly refused: readonly (readonly string[] | null)[];
  /** The texts that the program received for numbers that the rules mask. */
  readonly masked?: readonly string[];
}

/** Folders of one test run: Python virtual environments, npm packages, and the files that programs write. */
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

  /**
   * Creates a folder and installs these npm packages into it, without their install scripts.
   * @throws when npm cannot install them
   */
  async npm(packages: readonly string[]): Promise<string> {
    const folder = mkdtempSync(join(this.runs, 'npm-'));
    writeFileSync(join(folder, 'package.json'), '{}');
    await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...packages], {
      cwd: folder,
    });
    return folder;
  }

  /** Creates a folder for the files that one run writes. */
  scratch(): string {
    return mkdtempSync(join(this.runs, 'run-'));
  }
}

export interface Program {
  readonly name: string;
  readonly rule: 'drops are refused' | 'drops are needed';
  /** The reason why this machine cannot run the program, or undefined if it can. */
  absent(): Promise<string | undefined>;
  /**
   * Installs the program. Returns its command, to which the caller appends a folder for the program's files.
   */
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
  // Replaces the name of the database, which differs between a direct run and a run through the gateway.
  const line = stdout.trim().split('\n').at(-1) ?? '';
  return JSON.parse(line.replaceAll(way.database, 'OWN')) as Outcome;
}

function inPython(script: string, packages: readonly string[]): Pick<Program, 'absent' | 'install'> {
  return {
    absent: () => PythonEnvironments.absent(),
    install: async ({ python }) => [await python.with(packages), join(__dirname, 'python', script)],
  };
}

// This is Prisma 6, because Prisma 7 downloads its migration engine from outside of the registry. The adapter
// is of version 7, because the adapter of version 6 cannot read the results of the queries of migrations.
const PRISMA = ['prisma@6.19.3', '@prisma/client@6.19.3', '@prisma/adapter-pg@7.10.1'];

/** Programs in the newest versions that need nothing but the package registries. */
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
    // dbt needs drops, because it replaces tables and views by dropping the old ones.
    rule: 'drops are needed',
    // Not dbt-core 1.12, because it downloads a part from outside of the registry.
    ...inPython('with_dbt.py', ['dbt-core==1.11.16', 'dbt-postgres==1.10.0', 'psycopg2-binary==2.9.13']),
  },
  {
    name: 'pgAdmin',
    rule: 'drops are refused',
    // pgAdmin installs its driver as a dependency: psycopg[binary] 3.3.4.
    ...inPython('with_pgadmin.py', ['pgadmin4==9.18']),
  },
  {
    name: 'Prisma',
    rule: 'drops are refused',
    absent: () => Promise.resolve(undefined),
    install: async (programs) => {
      const folder = await programs.npm(PRISMA);
      return [process.execPath, join(__dirname, 'prisma', 'with-prisma.mjs'), folder];
    },
  },
  {
    name: 'Hibernate',
    rule: 'drops are refused',
    absent: () =>
      Promise.all([run('javac', ['-version']), run('mvn', ['-version'])]).then(
        () => undefined,
        () => 'javac from 17, and Maven',
      ),
    install: async (programs) => {
      const folder = programs.scratch();
      const list = join(folder, 'classpath');
      const [mvn, ...args] = aloneWithMaven(['mvn', '-q', '-B', 'dependency:build-classpath']);
      await run(mvn, [...args, '-f', join(__dirname, 'java', 'pom.xml'), `-Dmdep.outputFile=${list}`]);
      const classes = `${readFileSync(list, 'utf8').trim()}:${folder}`;
      await run('javac', ['-d', folder, '-cp', classes, join(__dirname, 'java', 'WithHibernate.java')]);
      return ['java', '-Dfile.encoding=UTF-8', '-cp', classes, 'WithHibernate'];
    },
  },
  {
    name: 'Active Record',
    rule: 'drops are refused',
    absent: () =>
      run('ruby', ['-e', 'require "active_record"; require "pg"']).then(
        () => undefined,
        () => 'ruby with activerecord and pg (Debian: ruby-activerecord, ruby-pg)',
      ),
    // Uses the packages that the system has, because Debian has only one version of each.
    install: () => Promise.resolve(['ruby', join(__dirname, 'ruby', 'active_record.rb')]),
  },
];
