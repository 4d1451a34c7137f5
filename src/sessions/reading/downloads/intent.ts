import type { Request } from 'express';

/**
 * The purpose of a request to the address of a download link:
 * - `download`: gets the file
 * - `head`: gets the headers of the file (HEAD)
 * - `preview`: no person clicked yet; a browser prefetches the link, or a chat shows a preview of it
 */
export type Intent = 'download' | 'head' | 'preview';

/** Matches user agents of chats, mail and social networks that fetch previews, but not Cubot telephones. */
const PREVIEWER = /(?<!cu)bot\b|preview|crawler|spider|facebookexternalhit|whatsapp|embedly/i;

/** Headers in which browsers declare a prefetch. Only `sec-purpose` is current. */
const PURPOSES = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'] as const;
const AHEAD = /prefetch|prerender|preview/i;

/** Returns the purpose of a request. A preview must neither use a link up nor show a recording. */
export function intentOf({ method, headers }: Pick<Request, 'method' | 'headers'>): Intent {
  const isAhead = PURPOSES.some((name) => AHEAD.test(String(headers[name] ?? '')));
  if (isAhead || PREVIEWER.test(headers['user-agent'] ?? '')) return 'preview';
  return method === 'HEAD' ? 'head' : 'download';
}
