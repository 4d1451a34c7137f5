import type { HttpSettings } from '../config/groups';
import { chatSentence, slackBody, teamsBody } from './chat-message';

/** `standard`: everything, as Standard Webhooks has it; the others: one sentence, as those chats take it from a webhook. */
export const WEBHOOK_FORMATS = ['standard', 'slack', 'teams'] as const;
export type WebhookFormat = (typeof WEBHOOK_FORMATS)[number];

/** An event as it was left. */
export interface Told {
  readonly type: string;
  readonly createdAt: Date;
  readonly data: Readonly<Record<string, unknown>>;
  readonly format: WebhookFormat;
}

/**
 * The body of a message, the same bytes at every attempt: type, time and data (Standard Webhooks 1.0, "Payload
 * structure"), with links to what the data names, for whoever wants to know more and may; or what a chat takes.
 */
export function bodyOf({ type, createdAt, data, format }: Told, { apiUrl, apiPrefix }: HttpSettings): string {
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
