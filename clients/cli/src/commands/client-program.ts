import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { CommandFault, EXIT } from '../exit-codes.js';

/**
 * Runs a program of the person's computer at this terminal, and returns its exit code; after a signal 128 and
 * the number of the signal, as shells do.
 * @param variables added to the environment; secrets belong here, because arguments are visible to all users
 * @throws CommandFault `unavailable` if the program is not installed
 */
export function runClient(
  program: string,
  args: readonly string[],
  variables: Readonly<Record<string, string>>,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: 'inherit', env: { ...process.env, ...variables } });
    // Ctrl-C in a terminal also reaches the program, which decides what it means. So it is ignored here.
    const ignore = (): void => undefined;
    const passOn = (signal: NodeJS.Signals): void => void child.kill(signal);
    process.on('SIGINT', ignore).on('SIGTERM', passOn).on('SIGHUP', passOn);
    const over = (): void => {
      process.off('SIGINT', ignore).off('SIGTERM', passOn).off('SIGHUP', passOn);
    };
    child.once('error', (error: NodeJS.ErrnoException) => {
      over();
      reject(
        error.code === 'ENOENT'
          ? new CommandFault(`${program} is not installed, or not in PATH`, EXIT.unavailable)
          : error,
      );
    });
    child.once('close', (code, signal) => {
      over();
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal]));
    });
  });
}
