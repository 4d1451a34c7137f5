/** A request that was not answered with success. */
export class ApiFault extends Error {
  override readonly name = 'ApiFault';

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
  }

  static async of(response: Response): Promise<ApiFault> {
    const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
    const body: unknown = await response.json().catch(() => undefined);
    return new ApiFault(
      response.status,
      messageIn(body) ?? `HTTP ${response.status}`,
      Number.isNaN(retryAfter) ? undefined : retryAfter,
    );
  }

  static ofNetwork(error: unknown): ApiFault | undefined {
    return error instanceof ApiFault ? undefined : new ApiFault(0, String(error));
  }
}

function messageIn(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || !('message' in body)) return undefined;
  return typeof body.message === 'string' ? body.message : undefined;
}
