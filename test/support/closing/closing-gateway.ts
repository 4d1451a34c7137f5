import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { ROOT } from '../root';

export type Command =
  | { readonly kind: 'start'; readonly variables: Readonly<Record<string, string>> }
  | { readonly kind: 'lose logger' }
  | { readonly kind: 'stop' };

/** Resources that a gateway left behind. */
export interface Report {
  /** Resources of Node.js that the gateway made and that still exist, each with the code that made it. */
  readonly left: readonly string[];
  /** Resources that were made after the gateway was closed, each with the code that made it. */
  readonly begunLater: readonly string[];
  /** Log lines that were written after the gateway was closed. */
  readonly logged: readonly string[];
  /** Errors that no code caught, while the gateway ran and afterwards. */
  readonly errors: readonly string[];
}

type Answer =
  | { readonly kind: 'done'; readonly report?: Report }
  | { readonly kind: 'failed'; readonly why: string };

/**
 * A process that runs one gateway after another, stops each, and reports the resources that it left behind.
 */
export class ClosingGateway {
  output = '';

  private constructor(private readonly child: ChildProcess) {
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (data: Buffer) => (this.output += data.toString()));
  }

  static fork(): ClosingGateway {
    const loader = join(ROOT, 'test/support/jest/typescript.cjs');
    const child = fork(join(ROOT, 'test/support/closing/program.ts'), {
      cwd: ROOT,
      // Sets V8's young generation as large as in Jest's workers, because one process runs many gateways.
      execArgv: ['--max-semi-space-size=64', '--require', loader],
      env: { PATH: process.env['PATH'] ?? '', NODE_COMPILE_CACHE: join(ROOT, 'dist', '.compile-cache') },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    return new ClosingGateway(child);
  }

  start(variables: Readonly<Record<string, string>>): Promise<unknown> {
    return this.ask({ kind: 'start', variables });
  }

  loseLogger(): Promise<unknown> {
    return this.ask({ kind: 'lose logger' });
  }

  /** Closes the gateway. Resolves a while later, with the resources that it left behind. */
  async stop(): Promise<Report> {
    return (await this.ask({ kind: 'stop' })) as Report;
  }

  async end(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await ended;
  }

  private async ask(command: Command): Promise<unknown> {
    const ended = new AbortController();
    const end = (): void => ended.abort();
    this.child.once('exit', end);
    const answered = once(this.child, 'message', { signal: ended.signal });
    this.child.send(command);
    const [answer] = (await answered
      .catch(() => {
        throw new Error(`the process ended:\n${this.output.slice(-4_000)}`);
      })
      .finally(() => this.child.off('exit', end))) as [Answer];
    if (answer.kind === 'failed') throw new Error(`${answer.why}\n${this.output.slice(-4_000)}`);
    return answer.report;
  }
}
