import type { Client, ClientChannel } from 'ssh2';

/**
 * Access to private parts of ssh2, which no other file uses. The driver sends a signal only until the end of
 * a command's input was sent (`Channel.signal` asks for `writable`), but a command that is stopped has all of
 * its input. RFC 4254, section 6.9, has no such condition. `driver-parts.spec.ts` fails when a version
 * changes these parts.
 */
interface DriverProtocol {
  signal(channelId: number, name: string): void;
}

/** Asks the server to send a signal to the command of a channel. Without effect on a closed channel. */
export function signalCommand(client: Client, channel: ClientChannel, name: string): void {
  const { _protocol: protocol } = client as unknown as { readonly _protocol: DriverProtocol };
  const { outgoing } = channel as unknown as { readonly outgoing: { id: number; state: string } };
  if (outgoing.state === 'open' || outgoing.state === 'eof') protocol.signal(outgoing.id, name);
}
