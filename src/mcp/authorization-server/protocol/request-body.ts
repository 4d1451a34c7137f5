import type { Request, Response } from 'express';
import { parseJson } from '../../../kernel/json/json';
import { readText } from '../../../platform/http/pages/read-text';
import { OAuthFault } from './oauth-fault';
import { Parameters } from './parameters';

/** Maximum size of a request body: enough for a registration with 20 redirect URIs of maximum length. */
const MAX_BYTES = 64 * 1024;

/** The parameters of a form (RFC 6749, appendix B). @throws OAuthFault; EdgeFault 400, 413, 415 */
export async function readForm(request: Request, response: Response): Promise<Parameters> {
  return new Parameters(await readText(request, response, 'application/x-www-form-urlencoded', MAX_BYTES));
}

/** @throws OAuthFault `invalid_client_metadata` for a body that is not JSON; EdgeFault 400, 413, 415 */
export async function readMetadataBody(request: Request, response: Response): Promise<unknown> {
  const text = await readText(request, response, 'application/json', MAX_BYTES);
  try {
    return parseJson(text);
  } catch {
    throw new OAuthFault('invalid_client_metadata', 'the request body is not JSON');
  }
}
