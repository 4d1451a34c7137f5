import type { Client, Connection } from 'ssh2';

/**
 * Private parts of `ssh2`, used only in this file: they announce the maximum packet size of a channel.
 * `driver-parts.spec.ts` fails when a version changes them.
 */
interface AnnouncingParts {
  readonly _protocol: Record<
    'channelOpenConfirm' | (typeof OPENING)[number],
    (...fields: unknown[]) => unknown
  >;
}

const OPENING = [
  'session',
  'directTcpip',
  'openssh_directStreamLocal',
  'forwardedTcpip',
  'openssh_forwardedStreamLocal',
] as const;

/** Lets a driver announce this maximum packet size for each channel that it opens, and that it takes. */
export function announcePackets(driver: Client | Connection, bytes: number): void {
  const { _protocol: protocol } = driver as unknown as AnnouncingParts;
  for (const name of OPENING) {
    const open = protocol[name]?.bind(protocol);
    protocol[name] = (channel, window, _, ...more) => open?.(channel, window, bytes, ...more);
  }
  const confirm = protocol.channelOpenConfirm.bind(protocol);
  protocol.channelOpenConfirm = (channel, own, window) => confirm(channel, own, window, bytes);
}
