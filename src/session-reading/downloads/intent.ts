import type { Request } from 'express';

/**
 * What a request for a link wants of it:
 * - `take`: the file
 * - `look`: HEAD, what the file would be
 * - `preview`: nobody asked for it yet; a browser fetches ahead of a click, or a chat shows what is behind a link
 */
export type Intent = 'take' | 'look' | 'preview';

/** What chats, mail and social networks fetch links with, to show what is behind them; a Cubot is a telephone. */
const PREVIEWER = /(?<!cu)bot\b|preview|crawler|spider|facebookexternalhit|whatsapp|embedly/i;

/** Browsers say in the first, or used to say in the others, that they fetch ahead. */
const PURPOSES = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'] as const;
const AHEAD = /prefetch|prerender|preview/i;

/** A link that works once must not be spent on a preview, and a recording must not be shown to one. */
export function intentOf({ method, headers }: Pick<Request, 'method' | 'headers'>): Intent {
  const isAhead = PURPOSES.some((name) => AHEAD.test(String(headers[name] ?? '')));
  if (isAhead || PREVIEWER.test(headers['user-agent'] ?? '')) return 'preview';
  return method === 'HEAD' ? 'look' : 'take';
}
