import type { ClientAdmission, ClientLimits } from '../../kit/client-limits';

/** A client's MCP session that may be ended so that its user can open another one. */
export interface EndableVisit {
  /** Time in milliseconds since the last use; 0 while a message is answered or a stream is open. */
  readonly unusedMs: number;
  close(exitCode: number, cause: string): Promise<void>;
}

export const MADE_ROOM = 'The session was idle for longest, and another client of its user needed the place.';

/**
 * Admits a client. If the user has the maximum number of sessions, ends the one that was unused for longest.
 * Without this, a client that begins a session for each call and ends none would lock its user out.
 * @param own the open MCP sessions of the user
 */
export async function enterWithRoom(
  limits: ClientLimits,
  userId: string,
  connectionId: string,
  own: () => Iterable<EndableVisit>,
): Promise<ClientAdmission> {
  const place = await limits.enter(userId, connectionId);
  if (place.kind === 'place' || !place.isOfUser) return place;
  const [longest] = [...own()].filter((visit) => visit.unusedMs > 0).sort((a, b) => b.unusedMs - a.unusedMs);
  if (longest === undefined) return place;
  await longest.close(0, MADE_ROOM);
  return limits.enter(userId, connectionId);
}
