/** Error of a request without a successful answer, and of a stream that is lost or aborted. */
export class GatewayFault extends Error {
  override readonly name = 'GatewayFault';

  /**
   * @param status HTTP status, or 0 without an answer; after a network error or an abort, `cause` has the
   * reason
   * @param message one sentence; the gateway's own if it sent one
   * @param requestId `x-request-id` of the answer, which is also in the gateway's log; undefined without an
   * answer
   * @param retryAfterSeconds from the gateway's Retry-After
   */
  constructor(
    readonly status: number,
    message: string,
    readonly requestId: string | undefined,
    readonly retryAfterSeconds?: number,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  static async of(response: Response): Promise<GatewayFault> {
    const body: unknown = await response.json().catch(() => undefined);
    return new GatewayFault(
      response.status,
      messageIn(body) ?? `HTTP ${response.status}`,
      response.headers.get('x-request-id') ?? undefined,
      retryAfterOf(response),
    );
  }

  static ofNetwork(error: unknown): GatewayFault {
    if (error instanceof GatewayFault) return error;
    return new GatewayFault(0, `the gateway did not answer: ${reasonOf(error)}`, undefined, undefined, {
      cause: error,
    });
  }
}

/** Returns `Retry-After` in seconds (RFC 9110, section 10.2.3: a number or a date); undefined without one. */
export function retryAfterOf(response: Response): number | undefined {
  const text = response.headers.get('retry-after')?.trim();
  if (text === undefined || text === '') return undefined;
  if (/^\d+$/.test(text)) return Number(text);
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, (at - Date.now()) / 1000);
}

function messageIn(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || !('message' in body)) return undefined;
  return typeof body.message === 'string' ? body.message : undefined;
}

/** Returns the message of the cause, because the message of `fetch` is only "fetch failed". */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error && cause.message !== '' ? cause.message : error.message;
}
