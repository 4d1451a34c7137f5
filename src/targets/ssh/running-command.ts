import type { ClientChannel } from 'ssh2';
import { settlesWithin } from '../../kernel/async/timeout';
import { piecesOf } from '../../kernel/text/pieces';
import { signalCommand } from './driver-parts';
import type { OpenSsh } from './open-ssh';
import type { ScriptCommand } from './script-command';
import { type ScriptExit, exitOf } from './script-exit';

/** Time for a script to clean up after SIGTERM; then SIGKILL is sent. `script-command.ts` has the same. */
const TERMINATE_WITHIN_MS = 600;
/** Time for the end of a killed script to arrive; then the connection is closed. */
const KILL_WITHIN_MS = 300;

/** Pieces in which a script is sent, so that a long one does not fill the memory twice. */
const PIECE_CHARACTERS = 64 * 1024;

/** A command that runs on a server, and gets a script. */
export class RunningCommand {
  private constructor(
    private readonly ssh: OpenSsh,
    private readonly sent: ScriptCommand,
    readonly channel: ClientChannel,
    /** Resolves when its output was read, with undefined if the server did not report how it ended. */
    readonly exited: Promise<ScriptExit | undefined>,
  ) {
    channel.on('error', () => undefined);
  }

  /** @throws SshFault */
  static start(ssh: OpenSsh, command: ScriptCommand): Promise<RunningCommand> {
    return ssh.open(
      (opened) => ssh.client.exec(command.command, opened),
      (channel) => new RunningCommand(ssh, command, channel, exitOf(channel)),
    );
  }

  /** Sends the input. Never rejects: the command may not want all of it. */
  async sendInput(): Promise<void> {
    try {
      for (const piece of piecesOf(this.sent.input, PIECE_CHARACTERS)) {
        if (!this.channel.writable) return;
        await this.write(piece);
        await this.ssh.drained();
      }
      if (!this.sent.isEndedByInput) this.channel.end();
    } catch {
      // The connection is lost, which the end of the output shows.
    }
  }

  /**
   * Stops the command: by the end of its input if it ends by that, otherwise by signals, which some servers
   * do not send, and at last by closing the connection. Never rejects.
   */
  async stop(): Promise<void> {
    const { ssh, channel, exited } = this;
    try {
      // A server may send a signal to the shell alone. Its watcher would then take it for the end.
      if (this.sent.isEndedByInput) channel.end();
      else signalCommand(ssh.client, channel, 'TERM');
      if (await settlesWithin(exited, TERMINATE_WITHIN_MS)) return;
      signalCommand(ssh.client, channel, 'KILL');
      if (await settlesWithin(exited, KILL_WITHIN_MS)) return;
    } catch {
      // The connection is lost.
    }
    ssh.close(0);
  }

  private write(piece: string): Promise<void> {
    const { channel } = this;
    return new Promise((resolve) => {
      channel.once('close', resolve);
      channel.write(piece, () => {
        channel.off('close', resolve);
        resolve();
      });
    });
  }
}
