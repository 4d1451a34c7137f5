import type { Request, Response } from 'express';
import { eachChunk } from '../body/decoded';
import { EdgeFault } from '../edge/edge-fault';

/**
 * Reads the body of a request as text, for endpoints that are not routes of the API.
 * @throws EdgeFault 400 when it is not UTF-8, 413 when it is too large, 415 for another type or an encoding
 */
export async function readText(
  request: Request,
  response: Response,
  type: string,
  maxBytes: number,
): Promise<string> {
  const { headers } = request;
  const [given = ''] = (headers['content-type'] ?? '').split(';');
  if (given.trim().toLowerCase() !== type || headers['content-encoding'] !== undefined)
    throw new EdgeFault(415, `the request body must be sent as Content-Type: ${type}`);
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw tooLarge();
  // The caller waits for `100 Continue` before it sends the body.
  if (headers.expect !== undefined) response.writeContinue();
  const chunks: Buffer[] = [];
  let size = 0;
  await eachChunk(request, undefined, (chunk) => {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge();
    chunks.push(chunk);
  });
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw new EdgeFault(400, 'the request body is not UTF-8');
  }
}

function tooLarge(): EdgeFault {
  return new EdgeFault(413, 'the request body is too large');
}
