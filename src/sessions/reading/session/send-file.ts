import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import { begun } from '../../../kernel/async/begun';
import type { SessionFile } from '../rendering/session-file';

/** Streams a recording as an attachment. Answers HEAD with the headers only. */
export async function sendFile(response: Response, file: SessionFile): Promise<void> {
  const isHead = response.req.method === 'HEAD';
  // Reads the first part before the headers are sent, so that an unreadable recording gives an error.
  const content = isHead ? undefined : await begun(file.content);
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('Content-Type', file.contentType);
  response.setHeader('Content-Disposition', `attachment; filename="${file.fileName}"`);
  if (content === undefined) response.end();
  else await pipeline(content, response);
}
