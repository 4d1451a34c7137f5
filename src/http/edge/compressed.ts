import compression from 'compression';
import type { RequestHandler } from 'express';

/** Below it a packet is a packet, packed or not. */
const THRESHOLD_BYTES = 1_024;
const COMPRESSED = /^(application\/json|application\/yaml|text\/(html|css|javascript|yaml))(;|$)/;

/**
 * Packs JSON and static files with brotli or gzip, as the caller asks for.
 *
 * - Only answers to GET: secrets are shown once, by POST. A secret beside something that the caller chose must not be packed
 *   with it, or its length tells the secret (BREACH). Browsers send bearer tokens for nobody else, so that such an attack has no
 *   way in; this holds without that.
 * - No files and no event streams: they go out as they are written, and their readers may be slow.
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
