import { resultWithin } from '../../../kernel/async/timeout';
import type { ClientChannel } from 'ssh2';
import type { SshClientPolicy } from '../../../targets/ssh/client-policy';
import type { OpenSsh } from '../../../targets/ssh/open-ssh';
import type { ChannelStart, StartedChannel, Terminal } from './channel-requests';
import type { AdmittedStart } from './command-admission';

/** Returns the text that the recording shows for the start of a channel. */
export function shownStart(start: ChannelStart): string {
  switch (start.kind) {
    case 'exec':
      return start.command;
    case 'shell':
      return 'shell';
    case 'subsystem':
      return `subsystem ${start.name}`;
  }
}

/** The terminal in the metadata of a session. */
export function shownTerminal({ term, cols, rows }: Terminal): object {
  return { type: term, columns: cols, rows };
}

export function admittedStart(start: ChannelStart): AdmittedStart {
  const command = start.kind === 'exec' ? start.command : undefined;
  const name = start.kind === 'subsystem' ? start.name : start.kind;
  return { name, text: shownStart(start), command };
}

/** Returns why the connection does not allow what a client began; undefined if it does. */
export function startRefusal(
  { start, terminal }: StartedChannel,
  policy: SshClientPolicy,
): string | undefined {
  switch (start.kind) {
    case 'exec':
      if (!policy.commands) return 'This connection allows no commands.';
      return terminal === undefined || policy.shells
        ? undefined
        : 'This connection allows no interactive shells, so a command gets no terminal: leave out -t.';
    case 'shell':
      return policy.shells ? undefined : 'This connection allows no interactive shells.';
    case 'subsystem':
      if (start.name !== 'sftp') return `This gateway does not offer the subsystem ${start.name}.`;
      return policy.files === 'none' ? 'This connection allows no file transfers by SFTP.' : undefined;
  }
}

/**
 * Time in which a server closes a channel that the gateway has closed. OpenSSH waits for the program to end,
 * and counts the channel until then (`MaxSessions`).
 */
const CLOSED_WITHIN_MS = 5_000;

/**
 * Returns a function that resolves when the server has closed the channel of the program, or takes too long.
 * The function never rejects, and drops what the program still writes.
 */
export function closedByServer(program: ClientChannel): () => Promise<void> {
  const closed = new Promise<void>((resolve) => program.once('close', () => resolve()));
  return async () => {
    // Without a reader, the driver would never report the close.
    program.resume();
    program.stderr.resume();
    await resultWithin(closed, CLOSED_WITHIN_MS);
  };
}

/** Begins on the server what a client asked for. @throws SshFault */
export function beginProgram(
  server: OpenSsh,
  { start, terminal, environment }: StartedChannel,
): Promise<ClientChannel> {
  const env = { ...environment };
  const { client } = server;
  if (start.kind === 'subsystem') return server.open((opened) => client.subsys(start.name, opened));
  if (start.kind === 'shell')
    return server.open((opened) => client.shell(terminal ?? false, { env }, opened));
  const options = { env, ...(terminal === undefined ? {} : { pty: terminal }) };
  return server.open((opened) => client.exec(start.command, options, opened));
}
