import { type ChildProcess, spawn } from 'node:child_process';

/** Maximum wait for output. It is below a test's time limit, because a timed-out test ends no program. */
const SILENCE_MS = 60_000;

/** A program on a pseudo-terminal, as a person uses it. */
export class Terminal {
  private readonly child: ChildProcess;
  private seen = '';
  private wake: () => void = () => undefined;
  private hasEnded = false;
  private exitCode: number | null = null;

  /** @param command command line for the shell */
  constructor(command: string, env: Readonly<Record<string, string>>) {
    // `exec` replaces the shell. Otherwise the shell would also receive Ctrl-C, and end with 130 instead of
    // the program's exit code.
    this.child = spawn('script', ['-qec', `exec ${command}`, '/dev/null'], {
      env: { ...env, TERM: 'dumb' },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.child.stdout?.on('data', (data: Buffer) => {
      this.seen += data.toString();
      this.wake();
    });
    this.child.once('close', (code) => {
      this.exitCode = code;
      this.hasEnded = true;
      this.wake();
    });
  }

  /** Types the text unchanged. */
  type(keys: string): void {
    this.child.stdin?.write(keys);
  }

  /** Waits for this text. Returns the terminal's output since the last call. */
  async until(shown: string): Promise<string> {
    return (await this.untilOneOf([shown])).text;
  }

  /** Waits for one of these texts. Returns it, and the terminal's output since the last call. */
  async untilOneOf(texts: readonly string[]): Promise<{ readonly shown: string; readonly text: string }> {
    for (;;) {
      const shown = texts.find((text) => this.seen.includes(text));
      if (shown !== undefined) {
        const at = this.seen.indexOf(shown);
        const text = this.seen.slice(0, at);
        this.seen = this.seen.slice(at + shown.length);
        return { shown, text };
      }
      if (this.hasEnded) throw new Error(`the program ended, and showed only: ${this.seen}`);
      await this.more();
    }
  }

  /** Waits for the end of the program. Returns its exit code, and the output since the last call. */
  async ended(): Promise<{ readonly code: number | null; readonly out: string }> {
    while (!this.hasEnded) await this.more();
    return { code: this.exitCode, out: this.seen };
  }

  kill(): void {
    this.child.kill('SIGKILL');
  }

  private more(): Promise<void> {
    return new Promise((woken, failed) => {
      const timer = setTimeout(
        () => failed(new Error(`nothing more within 60 s; shown: ${this.seen}`)),
        SILENCE_MS,
      );
      this.wake = () => {
        clearTimeout(timer);
        woken();
      };
    });
  }
}
