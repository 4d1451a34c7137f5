import type { Request } from 'express';

/**
 * The purpose of a request that follows a link:
 * - `download`: the file
 * - `head`: the headers of the file (HEAD)
 * - `preview`: no person asked yet; a browser fetches ahead of a click, or a chat shows a preview of the link
 */
export type Intent = 'download' | 'head' | 'preview';

/** User agents of chats, mail and social networks that fetch previews. A Cubot is a telephone. */
const PREVIEWER = /(?<!cu)bot\b|preview|crawler|spider|facebookexternalhit|whatsapp|embedly/i;

/** Headers in which browsers declare that they fetch ahead. Only the first one is current. */
const PURPOSES = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'] as const;
const AHEAD = /prefetch|prerender|preview/i;

/** A preview must not use a link up, and must not show a recording. */
export function intentOf({ method, headers }: Pick<Request, 'method' | 'headers'>): Intent {
  const isAhead = PURPOSES.some((name) => AHEAD.test(String(headers[name] ?? '')));
  if (isAhead || PREVIEWER.test(headers['user-agent'] ?? '')) return 'preview';
  return method === 'HEAD' ? 'head' : 'download';
}
