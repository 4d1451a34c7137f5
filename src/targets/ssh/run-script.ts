import type { ClientChannel } from 'ssh2';
import { settlesWithin } from '../../kernel/async/timeout';
import { inSpan } from '../../kernel/runtime/spans';
import { piecesOf } from '../../kernel/text/pieces';
import {
  EXIT_STATEMENT_FAILED,
  EXIT_TARGET_LOST,
  type OutputSink,
  type ScriptRunner,
} from '../contract/script-runner';
import { ChannelOutput } from './channel-output';
import { type OpenSsh, type SshSecret, openSsh } from './open-ssh';
import { signalCommand } from './driver-parts';
import { type ScriptCommand, scriptCommand } from './script-command';
import { type ScriptExit, exitCodeOf, exitMessage, exitOf } from './script-exit';
import { serverFault } from './ssh-faults';

/** Time for a script to clean up after SIGTERM; then SIGKILL is sent. `script-command.ts` has the same. */
const TERMINATE_WITHIN_MS = 400;
/** Time for the end of a killed script to arrive; then the connection is closed. */
const KILL_WITHIN_MS = 400;

/** Pieces in which a script is sent, so that a long one does not fill the memory twice. */
const PIECE_CHARACTERS = 64 * 1024;

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
    try {
      return await inSpan('gateway.script', {}, () => runOn(ssh, { secret, script, sink, signal }));
    } finally {
      ssh.close();
    }
  }
}

interface Work {
  readonly secret: SshSecret;
  readonly script: string;
  readonly sink: OutputSink;
  readonly signal: AbortSignal;
}

async function runOn(ssh: OpenSsh, { secret, script, sink, signal }: Work): Promise<number> {
  const { command, ...sent } = scriptCommand(script, secret['SHELL_COMMAND']);
  let running: { readonly channel: ClientChannel; readonly exited: Promise<ScriptExit | undefined> };
  try {
    running = await ssh.open(
      (opened) => ssh.client.exec(command, opened),
      (channel) => ({ channel, exited: exitOf(channel) }),
    );
  } catch (error) {
    if (!signal.aborted) await sink('e', `${serverFault(error)}\n`);
    return EXIT_TARGET_LOST;
  }
  const { channel, exited } = running;
  const output = new ChannelOutput(channel, async (type, text) => {
    if (!(await sink(type, text))) throw new Unwanted();
  });
  const stop = (): void => void stopScript(ssh, channel, exited);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  void sendInput(ssh, channel, sent);
  try {
    await output.done;
    const exit = await exited;
    const message = exit === undefined ? await lostMessage(ssh) : exitMessage(exit);
    if (message !== undefined && !signal.aborted) await sink('e', `${message}\n`);
    return exit === undefined ? EXIT_TARGET_LOST : exitCodeOf(exit);
  } catch (error) {
    await stopScript(ssh, channel, exited);
    if (error instanceof Unwanted) return EXIT_STATEMENT_FAILED;
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** Sends the input of a command. Never rejects: the server may not want all of it. */
async function sendInput(
  ssh: OpenSsh,
  channel: ClientChannel,
  { input, isEndedByInput }: Omit<ScriptCommand, 'command'>,
): Promise<void> {
  channel.on('error', () => undefined);
  try {
    for (const piece of piecesOf(input, PIECE_CHARACTERS)) {
      await new Promise<void>((resolve) => {
        channel.once('close', resolve);
        channel.write(piece, () => {
          channel.off('close', resolve);
          resolve();
        });
      });
      await ssh.drained();
    }
    if (!isEndedByInput) channel.end();
  } catch {
    // The connection is lost, which the end of the output shows.
  }
}

/**
 * Stops a running command: by the end of its input and by signals, each of which some servers or commands
 * ignore, and at last by closing the connection.
 */
async function stopScript(ssh: OpenSsh, channel: ClientChannel, exited: Promise<unknown>): Promise<void> {
  try {
    signalCommand(ssh.client, channel, 'TERM');
    channel.end();
    if (await settlesWithin(exited, TERMINATE_WITHIN_MS)) return;
    signalCommand(ssh.client, channel, 'KILL');
    if (await settlesWithin(exited, KILL_WITHIN_MS)) return;
  } catch {
    // The connection is lost.
  }
  ssh.close(0);
}

async function lostMessage(ssh: OpenSsh): Promise<string> {
  if (ssh.isOpen) return 'The server closed the session without an exit code.';
  const fault = await ssh.ended;
  return fault === undefined || fault.code === 'CLOSED'
    ? 'The connection to the server was lost while the script ran.'
    : fault.message;
}
