import { gatewayNow } from './gateway-clock';

/** A request that was not answered with success. */
export class ApiFault extends Error {
  override readonly name = 'ApiFault';

  /** When it can be tried again, by the reader's clock. */
  readonly retryAt: number | undefined;

  /**
   * @param status of HTTP; 0: the gateway could not be reached
   * @param retryAfterSeconds as the gateway says
   */
  constructor(
    readonly status: number,
    message: string,
    readonly retryAfterSeconds?: number,
  ) {
    super(message);
    this.retryAt = retryAfterSeconds === undefined ? undefined : Date.now() + retryAfterSeconds * 1000;
  }

  static async of(response: Response): Promise<ApiFault> {
    const body: unknown = await response.json().catch(() => undefined);
    const seconds = secondsIn(response.headers.get('retry-after'));
    return new ApiFault(response.status, messageIn(body) ?? `HTTP ${response.status}`, seconds);
  }

  static ofNetwork(error: unknown): ApiFault | undefined {
    return error instanceof ApiFault || isAbort(error) ? undefined : new ApiFault(0, String(error));
  }
}

/** Whether something was given up on purpose. */
export const isAbort = (fault: unknown): boolean =>
  fault instanceof DOMException && fault.name === 'AbortError';

function messageIn(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || !('message' in body)) return undefined;
  return typeof body.message === 'string' ? body.message : undefined;
}

/** `Retry-After`: seconds, or a date, as some proxies have it (RFC 9110, section 10.2.3). */
function secondsIn(retryAfter: string | null): number | undefined {
  if (retryAfter === null || retryAfter.trim() === '') return undefined;
  const seconds = Number(retryAfter);
  const wait = Number.isNaN(seconds) ? (Date.parse(retryAfter) - gatewayNow()) / 1000 : seconds;
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}
