import { inSpan } from '../../kernel/runtime/spans';
import {
  EXIT_STATEMENT_FAILED,
  EXIT_TARGET_LOST,
  type OutputSink,
  type ScriptRunner,
} from '../contract/script-runner';
import { ChannelOutput } from './channel-output';
import { type OpenSsh, type SshSecret, openSsh } from './open-ssh';
import { RunningCommand } from './running-command';
import { scriptCommand } from './script-command';
import { exitCodeOf, exitMessage } from './script-exit';
import { SshFault, serverFault } from './ssh-faults';

/** The sink wants no more output. */
class Unwanted extends Error {}

/**
 * Runs a script in a shell of an SSH server, on a connection of its own that is closed after the script. The
 * caller has no influence on the command that gets the script, its arguments and its environment.
 */
export class SshScripts implements ScriptRunner {
  async run(
    secret: SshSecret,
    script: string,
    sink: OutputSink,
    signal: AbortSignal,
    dialled: (isReachable: boolean) => void,
  ): Promise<number> {
    let ssh: OpenSsh;
    try {
      ssh = await inSpan('gateway.dial', {}, () => openSsh(secret, { signal }));
    } catch (error) {
      if (signal.aborted) return EXIT_TARGET_LOST;
      dialled(false);
      await sink('e', `${serverFault(error)}\n`);
      return EXIT_TARGET_LOST;
    }
    dialled(true);
    const command = scriptCommand(script, secret['SHELL_COMMAND']);
    try {
      const running = await RunningCommand.start(ssh, command);
      return await inSpan('gateway.script', {}, () => exitCode(ssh, running, sink, signal));
    } catch (error) {
      if (!(error instanceof SshFault)) throw error;
      if (!signal.aborted) await sink('e', `${error.message}\n`);
      return EXIT_TARGET_LOST;
    } finally {
      ssh.close();
    }
  }
}

/** Resolves with the exit code when the command has ended, and all of its output was taken. */
async function exitCode(
  ssh: OpenSsh,
  running: RunningCommand,
  sink: OutputSink,
  signal: AbortSignal,
): Promise<number> {
  const output = new ChannelOutput(running.channel, async (type, text) => {
    if (!(await sink(type, text))) throw new Unwanted();
  });
  const stop = (): void => void running.stop();
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  void running.sendInput();
  try {
    await output.done;
    const exit = await running.exited;
    const message = exit === undefined ? await lostMessage(ssh) : exitMessage(exit);
    if (message !== undefined && !signal.aborted) await sink('e', `${message}\n`);
    return exit === undefined ? EXIT_TARGET_LOST : exitCodeOf(exit);
  } catch (error) {
    await running.stop();
    if (error instanceof Unwanted) return EXIT_STATEMENT_FAILED;
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

async function lostMessage(ssh: OpenSsh): Promise<string> {
  if (ssh.isOpen) return 'The server closed the session without an exit code.';
  const fault = await ssh.ended;
  return fault === undefined || fault.code === 'CLOSED'
    ? 'The connection to the server was lost while the script ran.'
    : fault.message;
}
