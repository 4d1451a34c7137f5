import compression from 'compression';
import type { RequestHandler } from 'express';

/** Minimum size of a compressed answer. Smaller answers fit into one packet anyway. */
const THRESHOLD_BYTES = 1_024;
const COMPRESSED = /^(application\/json|application\/yaml|text\/(html|css|javascript|yaml))(;|$)/;

/**
 * Compresses JSON and static files with brotli or gzip, as the caller accepts.
 *
 * - Only answers to GET, because secrets are shown once, by POST. If a secret is compressed together with a
 *   text that an attacker chose, the length reveals the secret (BREACH). Browsers do not send bearer tokens
 *   on their own, so this attack is not possible here, but the rule does not rely on that.
 * - No downloads and no event streams, because they are sent as they are written, and their readers may be
 *   slow.
 */
export function compressed(): RequestHandler {
  return compression({
    threshold: THRESHOLD_BYTES,
    filter: (request, response) =>
      request.method === 'GET' &&
      COMPRESSED.test(String(response.getHeader('Content-Type') ?? '')) &&
      response.getHeader('Content-Disposition') === undefined,
  });
}
