import { setImmediate as turn } from 'node:timers/promises';
import type { Request, Response } from 'express';
import { AppError } from '../../../kernel/app-error';
import { MEBIBYTE } from './bounds';
import { requireJson } from './content-type';
import { decoderOf, eachChunk } from './decoded';
import { JsonReader } from './json-reader';

const LARGE_BYTES = 64 * 1024;

/**
 * Reads the JSON body of a request; undefined if the request has none. Type, encoding and length are checked
 * before the first byte is read. Other faults are reported as soon as they are found.
 *
 * @param types accepted content types; default: those of the API.
 * @throws EdgeFault 413, 415 or 400; AppError `malformed` for invalid JSON, or a body beyond `BODY_BOUNDS`.
 */
export async function readBody(
  request: Request,
  response: Response,
  limitMb: number,
  types?: readonly string[],
): Promise<unknown> {
  if (!hasBody(request)) return undefined;
  requireJson(request.method, request.headers['content-type'], types);
  const decoder = decoderOf(request.headers['content-encoding']);
  const limit = limitMb * MEBIBYTE;
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge(limitMb);
  // The caller sends the body only after this interim answer (100).
  if (request.headers.expect !== undefined) response.writeContinue();

  const reader = new JsonReader();
  let size = 0;
  try {
    await eachChunk(request, decoder, (chunk) => {
      size += chunk.length;
      if (size > limit) throw tooLarge(limitMb);
      reader.push(chunk);
    });
    if (size === 0) return undefined;
    const body = reader.end();
    // Gives other requests a turn of the event loop before the fields are validated.
    if (size > LARGE_BYTES) await turn();
    return body;
  } catch (error) {
    if (error instanceof SyntaxError) throw new AppError('malformed', 'the request body is not valid JSON');
    if (isNotUtf8(error)) throw new AppError('malformed', 'the request body is not valid UTF-8');
    throw error;
  }
}

/** Refuses the body on a route that accepts none, instead of ignoring it. @throws AppError `malformed` */
export function refuseBody(request: Request): void {
  if (hasBody(request)) throw new AppError('malformed', 'this route accepts no request body');
}

/** Whether the request has a body (RFC 9112, section 6.3). */
export function hasBody({ headers }: Request): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function isNotUtf8(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === 'ERR_ENCODING_INVALID_ENCODED_DATA';
}

function tooLarge(limitMb: number): AppError {
  return new AppError('payload_too_large', `the request body is larger than ${limitMb} MiB`);
}
