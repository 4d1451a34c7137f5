import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { debianAccount } from './server-programs';
import { ROOT } from '../root';

/** Commands of a page of docs/operations that a test runs: fenced blocks that begin with `sh run=<name>`. */
export class OperationsPage {
  private readonly steps = new Map<string, string>();
  private readonly left = new Set<string>();

  constructor(private readonly file: string) {
    const text = readFileSync(join(ROOT, 'docs/operations', file), 'utf8');
    for (const [, name = '', script = ''] of text.matchAll(/^```sh run=([\w-]+)\n([\s\S]*?)^```$/gm)) {
      if (this.steps.has(name)) throw new Error(`${file} has two blocks ${name}`);
      this.steps.set(name, script);
      this.left.add(name);
    }
  }

  /** Names of blocks that were not run. */
  get notRun(): string[] {
    return [...this.left];
  }

  /** Returns a block as it stands on the page, and counts it as run. */
  text(name: string): string {
    const script = this.steps.get(name);
    if (script === undefined) throw new Error(`${this.file} has no block run=${name}`);
    this.left.delete(name);
    return script;
  }

  /**
   * Runs a block as it stands on the page.
   * @param asServer whether to run the block as the user `postgres` if this process is root, because
   * PostgreSQL refuses to run as root
   * @returns the standard output of the block
   * @throws Error with all output of the block, if its exit code is not 0
   */
  async run(
    name: string,
    env: Readonly<Record<string, string>>,
    { asServer = false }: { readonly asServer?: boolean } = {},
  ): Promise<string> {
    const script = this.text(name);
    const account = asServer ? debianAccount() : undefined;
    const folder = await mkdtemp(join(tmpdir(), 'operations-page-'));
    // Uses files instead of pipes. A server that the block starts would keep a pipe open, so that the pipe
    // never ends. If the test waited only for the shell's exit, a pipe could still have unread output.
    const [output, errors] = [await open(join(folder, 'out'), 'w+'), await open(join(folder, 'err'), 'w+')];
    try {
      const child = spawn('bash', ['-euo', 'pipefail', '-c', script], {
        cwd: asServer ? '/' : ROOT,
        env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C.UTF-8', ...env },
        stdio: ['ignore', output.fd, errors.fd],
        ...account,
      });
      const [code] = (await once(child, 'exit')) as [number | null];
      const printed = await readFile(join(folder, 'out'), 'utf8');
      const complaints = await readFile(join(folder, 'err'), 'utf8');
      if (code !== 0) throw new Error(`${name} of ${this.file} ended with ${code}:\n${printed}${complaints}`);
      return printed;
    } finally {
      await Promise.all([output.close(), errors.close()]);
      await rm(folder, { recursive: true, force: true });
    }
  }
}
