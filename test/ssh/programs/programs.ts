import { execFile } from 'node:child_process';
import { closeSync, cpSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { aloneWithMaven } from '../../client/maven';
import { PythonEnvironments } from '../../conformance/python';
import { hasProgram } from '../../support/ssh/programs';
import { type Outcome, outcomeOf } from './running';
import type { ProgramTarget, SshWay } from './ways';
import { withAnsible } from './with-ansible';
import { withGit, withRsync } from './with-copies';
import { withLftp, withOpenSsh, withSshfs } from './with-openssh';
import { withCurl, withDbclient, withPutty } from './without-openssh';

const run = promisify(execFile);
/** One environment for all programs in Python, and for the server of AsyncSSH. */
export const PYTHON_PACKAGES = ['ansible-core==2.19.14', 'paramiko==5.1.0', 'asyncssh==2.24.1'];

/** Folders of one test run: a Python virtual environment, and what is built. */
export class SshProgramFolders {
  private readonly python = PythonEnvironments.begin();
  private readonly builds = mkdtempSync(join(tmpdir(), 'ssh-programs-'));
  private interpreter: Promise<string> | undefined;

  /** The interpreter that has the packages of all programs. @throws when pip cannot install them */
  withPackages(): Promise<string> {
    return (this.interpreter ??= this.python.with(PYTHON_PACKAGES));
  }

  build(): string {
    return mkdtempSync(join(this.builds, 'build-'));
  }

  close(): void {
    this.python.close();
    rmSync(this.builds, { recursive: true, force: true });
  }
}

type Use = (way: SshWay) => Promise<Outcome>;

export interface SshProgram {
  readonly name: string;
  /** Targets that it cannot use, each with the reason. */
  readonly without?: Partial<Record<ProgramTarget['name'], string>>;
  /** Returns the names of missing parts, and how to install them; undefined if none is. */
  absent(): Promise<string | undefined>;
  install(folders: SshProgramFolders): Promise<Use>;
}

const needs = (packages: string, programs: readonly string[]) => async (): Promise<string | undefined> => {
  const missing = programs.filter((program) => !hasProgram(program));
  return missing.length === 0 ? undefined : `${missing.join(', ')} (Debian: ${packages})`;
};

function inPython(
  use: (way: SshWay, python: string) => Promise<Outcome>,
): Pick<SshProgram, 'absent' | 'install'> {
  return {
    absent: () => PythonEnvironments.absent(),
    install: async (folders) => {
      const python = await folders.withPackages();
      return (way) => use(way, python);
    },
  };
}

const scriptInPython = (script: string) =>
  inPython((way, python) => outcomeOf(way, [python, join(__dirname, 'python', script)]));

const installed = (use: Use) => ({ install: () => Promise.resolve(use) });

/** curl of Debian 13 and newer may have another library. */
async function curlAbsent(): Promise<string | undefined> {
  const { stdout } = await run('curl', ['--version']).catch(() => ({ stdout: '' }));
  return stdout.includes('libssh2/') ? undefined : 'curl with libssh2 (Debian 12: curl)';
}

async function sshfsAbsent(): Promise<string | undefined> {
  const missing = await needs('sshfs', ['sshfs', 'fusermount3'])();
  if (missing !== undefined) return missing;
  try {
    closeSync(openSync('/dev/fuse', 'r+'));
    return undefined;
  } catch {
    return 'permission to use /dev/fuse';
  }
}

async function buildInGo(folders: SshProgramFolders): Promise<Use> {
  const folder = folders.build();
  cpSync(join(__dirname, 'go'), folder, { recursive: true });
  await run('go', ['build', '-o', 'with-go', '.'], { cwd: folder });
  return (way) => outcomeOf(way, [join(folder, 'with-go')]);
}

async function buildInJava(folders: SshProgramFolders): Promise<Use> {
  const folder = folders.build();
  const list = join(folder, 'classpath');
  const [mvn, ...args] = aloneWithMaven(['mvn', '-q', '-B', 'dependency:build-classpath']);
  await run(mvn, [...args, '-f', join(__dirname, 'java', 'pom.xml'), `-Dmdep.outputFile=${list}`]);
  const classes = `${readFileSync(list, 'utf8').trim()}:${folder}`;
  await run('javac', ['-d', folder, '-cp', classes, join(__dirname, 'java', 'WithJsch.java')]);
  return (way) => outcomeOf(way, ['java', '-Dfile.encoding=UTF-8', '-cp', classes, 'WithJsch']);
}

const ORDER_OF_LINKS = 'they disagree about the order of the paths of a symbolic link';

export const PROGRAMS: readonly SshProgram[] = [
  { name: 'OpenSSH', absent: needs('openssh-client', ['ssh', 'scp', 'sftp']), ...installed(withOpenSsh) },
  { name: 'rsync', absent: needs('rsync', ['rsync', 'ssh']), ...installed(withRsync) },
  { name: 'git', absent: needs('git', ['git', 'ssh']), ...installed(withGit) },
  {
    name: 'dbclient',
    without: { AsyncSSH: 'the server disconnects it at once, also directly' },
    absent: needs('dropbear-bin', ['dbclient', 'dropbearconvert']),
    ...installed(withDbclient),
  },
  {
    name: 'PuTTY',
    absent: needs('putty-tools', ['plink', 'pscp', 'psftp', 'puttygen']),
    ...installed(withPutty),
  },
  { name: 'curl', absent: curlAbsent, ...installed(withCurl) },
  { name: 'lftp', absent: needs('lftp', ['lftp', 'ssh']), ...installed(withLftp) },
  { name: 'sshfs', absent: sshfsAbsent, ...installed(withSshfs) },
  {
    name: 'Ansible',
    without: {
      AsyncSSH: 'AsyncSSH ends its SFTP without an exit status, and Ansible calls that a failed transfer',
    },
    ...inPython(withAnsible),
  },
  { name: 'Paramiko', ...scriptInPython('with_paramiko.py') },
  {
    name: 'AsyncSSH',
    without: { Dropbear: ORDER_OF_LINKS },
    ...scriptInPython('with_asyncssh.py'),
  },
  {
    name: 'Go',
    absent: () => (hasProgram('go') ? Promise.resolve(undefined) : Promise.resolve('go from 1.26')),
    without: { AsyncSSH: ORDER_OF_LINKS },
    install: buildInGo,
  },
  {
    name: 'JSch',
    without: { AsyncSSH: ORDER_OF_LINKS },
    absent: async () =>
      hasProgram('javac') && hasProgram('mvn') ? undefined : 'javac from 17, and Maven (Debian: maven)',
    install: buildInJava,
  },
];
