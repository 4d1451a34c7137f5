import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import type { SessionFile } from '../rendering/session-file';

/** Streams a recording as an attachment. Answers HEAD with the headers only. */
export async function sendFile(response: Response, file: SessionFile): Promise<void> {
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('Content-Type', file.contentType);
  response.setHeader('Content-Disposition', `attachment; filename="${file.fileName}"`);
  if (response.req.method === 'HEAD') response.end();
  else await pipeline(file.content, response);
}
