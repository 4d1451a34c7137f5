import { GatewayFault } from './gateway-fault.js';

/** The result of `gateway.api.GET` and the other methods. */
export type Answering<T> = Promise<{ readonly data?: T; readonly response: Response }>;

/** A resource with the version in which it was read, for `If-Match`. */
export interface Tagged<T> {
  readonly data: T;
  /** The `ETag`; empty for resources without one. */
  readonly etag: string;
}

/** Returns the body of an answer. @throws GatewayFault when the request failed, or the answer has no body */
export async function answered<T>(answer: Answering<T>): Promise<T> {
  return (await tagged(answer)).data;
}

/** The body of an answer with its `ETag`. @throws GatewayFault */
export async function tagged<T>(answer: Answering<T>): Promise<Tagged<T>> {
  const { data, response } = await answer;
  if (data === undefined)
    throw new GatewayFault(
      response.status,
      'the answer has no body',
      response.headers.get('x-request-id') ?? undefined,
    );
  return { data, etag: response.headers.get('etag') ?? '' };
}
