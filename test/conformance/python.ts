import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Python virtual environments, one for each set of packages. */
export class PythonEnvironments {
  private constructor(
    private readonly folder: string,
    private readonly isKept: boolean,
  ) {}

  /**
   * Creates Python virtual environments in a temporary folder, or keeps them in `TEST_PYTHON_ENVIRONMENTS`.
   */
  static begin(): PythonEnvironments {
    const kept = process.env['TEST_PYTHON_ENVIRONMENTS'];
    if (kept !== undefined) mkdirSync(kept, { recursive: true });
    return new PythonEnvironments(kept ?? mkdtempSync(join(tmpdir(), 'python-')), kept !== undefined);
  }

  /**
   * Returns the names of missing tools (Python 3.10 or later with `venv` and `pip`); undefined if none is.
   */
  static async absent(): Promise<string | undefined> {
    return run('python3', ['-c', 'import ensurepip, venv, sys; assert sys.version_info >= (3, 10)']).then(
      () => undefined,
      () => 'python3 from 3.10, with the modules venv and ensurepip',
    );
  }

  /**
   * Returns the path of a Python interpreter that has these packages. @throws when pip cannot install them
   */
  async with(packages: readonly string[]): Promise<string> {
    const hash = createHash('sha256').update(packages.join(' ')).digest('hex').slice(0, 16);
    const folder = join(this.folder, hash);
    const python = join(folder, 'bin', 'python');
    const isComplete = (): Promise<boolean> =>
      run(python, ['-m', 'pip', 'check']).then(
        () => true,
        () => false,
      );
    if (existsSync(python) && (await isComplete())) return python;
    await run('python3', ['-m', 'venv', folder]);
    await run(python, ['-m', 'pip', 'install', '-q', '--disable-pip-version-check', ...packages]).catch(
      ({ stderr = '' }: { readonly stderr?: string }) => {
        throw new Error(`pip did not bring ${packages.join(' ')}:\n${stderr}`);
      },
    );
    return python;
  }

  close(): void {
    if (!this.isKept) rmSync(this.folder, { recursive: true, force: true });
  }
}
