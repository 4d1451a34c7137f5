import type { OpenSsh } from '../../../targets/ssh/open-ssh';
import { PROGRAM_LOST, ServerRefused } from '../channels/ending';

/**
 * Runs work that must stop when the connection to its server ends. Leaves no listener at the connection,
 * which may live for days.
 * @param work gets `stops`, and a signal that aborts with a ServerRefused when the connection ends
 */
export async function whileConnected<T>(
  server: OpenSsh,
  stops: readonly AbortSignal[],
  work: (stops: readonly AbortSignal[]) => Promise<T>,
): Promise<T> {
  const ended = new AbortController();
  const lost = (): void => ended.abort(new ServerRefused(PROGRAM_LOST.cause));
  server.client.once('close', lost);
  if (!server.isOpen) lost();
  try {
    return await work([...stops, ended.signal]);
  } finally {
    server.client.off('close', lost);
  }
}
