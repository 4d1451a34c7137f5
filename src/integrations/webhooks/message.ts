import type { HttpSettings } from '../../platform/config/groups';
import { chatSentence, slackBody, teamsBody } from './chat-message';

/**
 * `standard`: the whole event, in the format of Standard Webhooks; the others:
 * one sentence in the format of that chat.
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
 * The body of a message, the same bytes in every attempt: type, time and data (Standard Webhooks 1.0,
 * "Payload structure"), with links to the resources that the data name; or the format of a chat.
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
