import type { Request } from 'express';
import { collected } from '../../../kernel/async/collected';
import { type Json, JsonFault, readJson } from '../../../kernel/json/json';
import { quotedMember } from '../../../targets/mcp/protocol/known-members';
import { RPC_ERRORS } from '../../../targets/mcp/protocol/rpc-errors';
import { RpcFault } from '../../../targets/mcp/protocol/rpc-messages';
import { HttpFault } from './http-fault';

const MEBIBYTE = 1024 * 1024;
const BOUNDS = { depth: 64, values: 100_000, nameBytes: 4 * 1024, oneReading: true };

/** Reads the JSON body of a request. @throws HttpFault 400, 413, 415; RpcFault for invalid JSON */
export async function readMessage(request: Request, limitMb: number): Promise<Json> {
  requireType(request);
  try {
    return await readJson(await bodyOf(request, limitMb * MEBIBYTE, limitMb), BOUNDS);
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    const { message, member } = error;
    const named = member === undefined ? '' : `: ${quotedMember(member)}`;
    throw new RpcFault(RPC_ERRORS.parseError, `the message ${message}${named}`);
  }
}

function requireType({ headers }: Request): void {
  const [type = '', ...parameters] = (headers['content-type'] ?? '').toLowerCase().split(';');
  const charset = parameters
    .map((one) => /^\s*charset="?([^"\s]*)"?\s*$/.exec(one)?.[1])
    .find((one) => one !== undefined);
  if (type.trim() !== 'application/json' || (charset !== undefined && !/^utf-?8$/.test(charset)))
    throw new HttpFault(415, 'the message must be sent as Content-Type: application/json, in UTF-8', {
      Accept: 'application/json',
    });
  if ((headers['content-encoding'] ?? 'identity') !== 'identity')
    throw new HttpFault(415, 'the message must not be compressed', { 'Accept-Encoding': 'identity' });
}

async function bodyOf(request: Request, limit: number, limitMb: number): Promise<Buffer> {
  const tooLarge = (): HttpFault =>
    new HttpFault(413, `the message is larger than ${limitMb} MiB`, { Connection: 'close' });
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge();
  const body = await collected(request, limit).catch((): never => {
    // Reading fails only when the connection fails: the client left, or the time limit for requests is over.
    throw new HttpFault(400, 'the message ended before it was complete', { Connection: 'close' });
  });
  if (body === undefined) throw tooLarge();
  return body;
}
