import type { HttpSettings } from '../../platform/config/groups';
import { chatSentence, slackBody, teamsBody } from './chat-message';

/**
 * Formats of messages. `standard` is the whole event in the format of Standard Webhooks. `slack` and `teams`
 * are one sentence in the format of Slack or Microsoft Teams.
 */
export const WEBHOOK_FORMATS = ['standard', 'slack', 'teams'] as const;
export type WebhookFormat = (typeof WEBHOOK_FORMATS)[number];

/** An event to send. */
export interface WebhookEvent {
  readonly type: string;
  readonly createdAt: Date;
  readonly data: Readonly<Record<string, unknown>>;
  readonly format: WebhookFormat;
}

/**
 * Returns the body of a message, with the same bytes in every attempt. In the format `standard`, it has the
 * type, the time and the data (Standard Webhooks 1.0, "Payload structure"), and `data.links` with the URLs of
 * the resources. Other formats are for chats.
 */
export function bodyOf(
  { type, createdAt, data, format }: WebhookEvent,
  { apiUrl, apiPrefix }: HttpSettings,
): string {
  const base = apiUrl + apiPrefix;
  const { session_id, review_id, connection } = data as Partial<Record<string, string>> & {
    connection?: { name: string };
  };
  const links: { session?: string; review?: string; connection?: string } = {
    ...(session_id ? { session: `${base}/sessions/${session_id}` } : {}),
    ...(review_id ? { review: `${base}/reviews/${review_id}` } : {}),
    ...(connection ? { connection: `${base}/connections/${encodeURIComponent(connection.name)}` } : {}),
  };
  if (format !== 'standard') {
    const said = { text: chatSentence(type, data), link: links.review ?? links.session ?? links.connection };
    return format === 'slack' ? slackBody(said) : teamsBody(said);
  }
  return JSON.stringify({ type, timestamp: createdAt.toISOString(), data: { ...data, links } });
}
