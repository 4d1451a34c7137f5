import type { TelemetrySettings } from '../../../platform/config/groups';
import { once } from '../../../kernel/async/once';
import type { OtlpEndpoint } from '../../../platform/telemetry/otlp-endpoint';
import { OtlpRefusal, OtlpSender } from '../../../platform/telemetry/otlp-sender';
import { resourceAttributes } from '../../../platform/telemetry/resource';
import { type Destination, NotTaken, type Taken } from '../contract/destination';
import type { ExportedEvent } from '../contract/exported-event';
import { logRecord } from './log-record';

const SCOPE = { name: 'access-gateway.events' };
/** Status codes for a batch that is too large or cannot be read. */
const TOO_MUCH = new Set([400, 413]);

/** Sends log records by OTLP over HTTP. The collector accepts a batch by answering with success. */
export class OtlpDestination implements Destination {
  readonly name = 'otlp';
  readonly address: string;
  private readonly sender: OtlpSender;
  private readonly encoder = once(async () => {
    const [{ JsonLogsSerializer, ProtobufLogsSerializer }, { resourceFromAttributes }] = await Promise.all([
      import('@opentelemetry/otlp-transformer'),
      import('@opentelemetry/resources'),
    ]);
    const origin = {
      resource: resourceFromAttributes(resourceAttributes(this.settings)),
      instrumentationScope: SCOPE,
    };
    return { origin, logs: this.sender.isJson ? JsonLogsSerializer : ProtobufLogsSerializer };
  });

  constructor(
    endpoint: OtlpEndpoint,
    private readonly settings: TelemetrySettings,
    allowedHosts: readonly string[],
  ) {
    this.address = endpoint.url.origin;
    this.sender = new OtlpSender(endpoint, settings, allowedHosts);
  }

  async send(events: readonly ExportedEvent[], signal: AbortSignal): Promise<Taken> {
    try {
      return await this.sendAtOnce(events, signal);
    } catch (error) {
      if (!(error instanceof OtlpRefusal)) throw error;
      throw new NotTaken(error.message, error.pauseMs, TOO_MUCH.has(error.status));
    }
  }

  private async sendAtOnce(events: readonly ExportedEvent[], signal: AbortSignal): Promise<Taken> {
    const { origin, logs } = await this.encoder();
    const now = Date.now();
    const body = logs.serializeRequest(events.map((event) => logRecord(event, origin, now)));
    if (body === undefined) throw new Error('the events could not be encoded');
    const answer = await this.sender.send(body, signal);
    return { refused: refusedOf(() => logs.deserializeResponse(answer), answer, events.length) };
  }
}

/**
 * Returns the number of records that the collector reports as refused; 0 if the answer cannot be read (some
 * collectors answer `OK`). It never throws, because after a success status the batch must not be sent again.
 * OTLP in JSON writes the number as a string.
 */
function refusedOf(
  read: () => { readonly partialSuccess?: { readonly rejectedLogRecords?: unknown } },
  answer: Buffer,
  sent: number,
): number {
  if (answer.length === 0) return 0;
  try {
    const refused = Number(read().partialSuccess?.rejectedLogRecords ?? 0);
    return Number.isInteger(refused) ? Math.min(Math.max(refused, 0), sent) : 0;
  } catch {
    return 0;
  }
}
