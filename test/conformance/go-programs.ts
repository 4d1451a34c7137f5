import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

const SDK = 'github.com/modelcontextprotocol/go-sdk';
const SOURCES = join(__dirname, 'go');

/** The Go programs in `go/`, each built with a given version of the MCP SDK. */
export class GoPrograms {
  private constructor(private readonly folder: string) {}

  static begin(): GoPrograms {
    return new GoPrograms(mkdtempSync(join(tmpdir(), 'go-')));
  }

  /** Returns the name of the missing tool; undefined if Go is installed. */
  static async absent(): Promise<string | undefined> {
    return run('go', ['version']).then(
      () => undefined,
      () => 'go',
    );
  }

  /** Builds a program with this SDK version. Returns its path. @throws when Go cannot fetch or build it */
  async built(program: 'client' | 'server', version: string): Promise<string> {
    const module = join(this.folder, version);
    const path = join(module, 'bin', program);
    if (existsSync(path)) return path;
    mkdirSync(join(module, 'bin'), { recursive: true });
    for (const name of ['client', 'server'])
      cpSync(join(SOURCES, name), join(module, name), { recursive: true });
    writeFileSync(join(module, 'go.mod'), 'module programs\n');
    for (const args of [
      ['get', `${SDK}/mcp@${version}`],
      ['build', '-o', 'bin/', './...'],
    ])
      await run('go', args, { cwd: module }).catch(({ stderr = '' }: { readonly stderr?: string }) => {
        throw new Error(`go ${args.join(' ')} failed:\n${stderr}`);
      });
    return path;
  }

  close(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
