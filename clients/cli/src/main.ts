import { CommanderError } from 'commander';
import { EXIT, endOf } from './exit-codes.js';
import { programOf } from './program.js';
import { harmless } from './shown/harmless.js';

/** Returns a signal that Ctrl-C aborts. A second Ctrl-C exits at once. */
function interruption(): AbortSignal {
  const controller = new AbortController();
  process.on('SIGINT', () => {
    if (controller.signal.aborted) process.exit(EXIT.interrupted);
    controller.abort(new Error('interrupted'));
  });
  return controller.signal;
}

async function main(): Promise<void> {
  // `gateway … | head`: the reader closed the pipe because it has enough.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(EXIT.ok);
    throw error;
  });
  const signal = interruption();
  try {
    await programOf(signal, (exitCode) => {
      process.exitCode = exitCode;
    }).parseAsync();
  } catch (error) {
    // commander already printed the help, the version or the fault in the arguments.
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    else {
      const { message, exitCode } = signal.aborted
        ? { message: 'interrupted', exitCode: EXIT.interrupted }
        : endOf(error);
      process.stderr.write(`gateway: ${harmless(message)}\n`);
      process.exitCode = exitCode;
    }
  }
}

await main();
