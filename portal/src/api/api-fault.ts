import { gatewayNow } from './gateway-clock';

/** State of a write without a response. `unsent`: it was not sent. `unclear`: it may have been executed. */
type Unanswered = 'unsent' | 'unclear';

/** An error for a request that failed or got no answer. */
export class ApiFault extends Error {
  override readonly name = 'ApiFault';

  /** Earliest time to try again, by the clock of the user's computer; undefined: unknown. */
  readonly retryAt: number | undefined;

  /**
   * @param status HTTP status; 0: the gateway could not be reached
   * @param retryAfterSeconds from the gateway's Retry-After
   * @param change state of a write to which the gateway did not respond; absent for other requests
   */
  constructor(
    readonly status: number,
    message: string,
    readonly retryAfterSeconds?: number,
    readonly change?: Unanswered,
  ) {
    super(message);
    this.retryAt = retryAfterSeconds === undefined ? undefined : Date.now() + retryAfterSeconds * 1000;
  }

  /** Creates the fault for a change that the browser did not send, because it is offline. */
  static unsent(): ApiFault {
    return new ApiFault(0, 'offline', undefined, 'unsent');
  }

  /**
   * @param isChange whether the request changes something. If only a proxy responded, such a request may have
   * succeeded at the gateway
   */
  static async of(response: Response, isChange = false): Promise<ApiFault> {
    const body: unknown = await response.json().catch(() => undefined);
    const seconds = secondsIn(response.headers.get('retry-after'));
    const isLost = LOST.has(response.status) || response.headers.has(REPEATED_HEADER);
    const change = isChange && isLost ? 'unclear' : undefined;
    return new ApiFault(response.status, messageIn(body) ?? `HTTP ${response.status}`, seconds, change);
  }

  static ofNetwork(error: unknown, isChange: boolean): ApiFault | undefined {
    if (error instanceof ApiFault || isAbort(error)) return undefined;
    return new ApiFault(0, String(error), undefined, isChange ? 'unclear' : undefined);
  }
}

/** Header of an error response to a repeated request: the browser's first request may have succeeded. */
const REPEATED_HEADER = 'X-Gateway-Portal-Repeated';
/** HTTP statuses that a proxy returns when it gets no answer from the gateway. */
const LOST: ReadonlySet<number> = new Set([502, 504]);

/** Whether a write got no response of the gateway, so that it may have been executed. */
export const isUnclear = (fault: unknown): boolean => fault instanceof ApiFault && fault.change === 'unclear';

/** Whether a request was aborted on purpose. */
export const isAbort = (fault: unknown): boolean =>
  fault instanceof DOMException && fault.name === 'AbortError';

function messageIn(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || !('message' in body)) return undefined;
  return typeof body.message === 'string' ? body.message : undefined;
}

/** Parses `Retry-After`: seconds, or a date, which some proxies send (RFC 9110, section 10.2.3). */
function secondsIn(retryAfter: string | null): number | undefined {
  if (retryAfter === null || retryAfter.trim() === '') return undefined;
  const seconds = Number(retryAfter);
  const wait = Number.isNaN(seconds) ? (Date.parse(retryAfter) - gatewayNow()) / 1000 : seconds;
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}
