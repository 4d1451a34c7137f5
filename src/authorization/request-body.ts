import type { Request, Response } from 'express';
import { eachChunk } from '../http/body/decoded';
import { EdgeFault } from '../http/edge/edge-fault';
import { OAuthFault } from './oauth-fault';
import { Parameters } from './parameters';

/** Enough for 20 redirect URIs of the greatest length, and the other fields of a registration. */
const MAX_BYTES = 64 * 1024;

/** The parameters of a form (RFC 6749, appendix B). @throws OAuthFault, EdgeFault 413 or 415 */
export async function readForm(request: Request, response: Response): Promise<Parameters> {
  return new Parameters(await readText(request, response, 'application/x-www-form-urlencoded'));
}

/** @throws OAuthFault `invalid_client_metadata` for what is not JSON; EdgeFault 413 or 415 */
export async function readMetadataBody(request: Request, response: Response): Promise<unknown> {
  const text = await readText(request, response, 'application/json');
  try {
    return JSON.parse(text);
  } catch {
    throw new OAuthFault('invalid_client_metadata', 'the request body is not JSON');
  }
}

async function readText(request: Request, response: Response, type: string): Promise<string> {
  const { headers } = request;
  const [given = ''] = (headers['content-type'] ?? '').split(';');
  if (given.trim().toLowerCase() !== type || headers['content-encoding'] !== undefined)
    throw new EdgeFault(415, `the request body must be sent as Content-Type: ${type}`);
  if (Number(headers['content-length'] ?? 0) > MAX_BYTES) throw tooLarge();
  // The caller waits for this answer before it sends the body.
  if (headers.expect !== undefined) response.writeContinue();
  const chunks: Buffer[] = [];
  let size = 0;
  await eachChunk(request, undefined, (chunk) => {
    size += chunk.length;
    if (size > MAX_BYTES) throw tooLarge();
    chunks.push(chunk);
  });
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw new OAuthFault('invalid_request', 'the request body is not UTF-8');
  }
}

function tooLarge(): EdgeFault {
  return new EdgeFault(413, 'the request body is too large');
}
