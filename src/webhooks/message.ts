import type { Settings } from '../config/settings';

/** An event as it was left. */
export interface Told {
  readonly type: string;
  readonly createdAt: Date;
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * The body of a message, the same bytes at every attempt: type, time and data (Standard Webhooks 1.0, "Payload
 * structure"), with links to what the data names, for whoever wants to know more and may.
 */
export function bodyOf({ type, createdAt, data }: Told, { API_URL, API_PREFIX }: Settings): string {
  const base = API_URL + API_PREFIX;
  const { session_id, review_id, connection } = data as Partial<Record<string, string>> & {
    connection?: { name: string };
  };
  const links = {
    ...(session_id ? { session: `${base}/sessions/${session_id}` } : {}),
    ...(review_id ? { review: `${base}/reviews/${review_id}` } : {}),
    ...(connection ? { connection: `${base}/connections/${encodeURIComponent(connection.name)}` } : {}),
  };
  return JSON.stringify({ type, timestamp: createdAt.toISOString(), data: { ...data, links } });
}
