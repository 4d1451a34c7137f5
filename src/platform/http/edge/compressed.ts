import compression from 'compression';
import type { RequestHandler } from 'express';

/** Smaller answers fit into one packet anyway. */
const THRESHOLD_BYTES = 1_024;
const COMPRESSED = /^(application\/json|application\/yaml|text\/(html|css|javascript|yaml))(;|$)/;

/**
 * Compresses JSON and static files with brotli or gzip, as the caller accepts.
 *
 * - Only answers to GET: secrets are shown once, by POST. A secret must not be compressed together with a
 *   text that an attacker chose, or the length reveals the secret (BREACH). Browsers do not send bearer
 *   tokens on their own, so such an attack has no way in; this rule holds even without that.
 * - No files and no event streams: they are sent as they are written, and their readers may be slow.
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
