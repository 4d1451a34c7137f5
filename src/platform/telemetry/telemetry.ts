import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Settings } from '../config/settings';
import { OWN_HOSTS } from '../config/values';
import { settlesWithin } from '../../kernel/async/timeout';
import { Meter } from '../metrics/meter';
import { type OtlpEndpoint, logsEndpoint, tracesEndpoint } from './otlp-endpoint';
import { OtlpSender } from './otlp-sender';
import type { SignalWay } from './signal-way';
import type { Tracing } from './tracing';

/** When the gateway stops, a collector that does not answer is not waited for. */
const SENT_WITHIN_MS = 2_000;

/** Takes each line of the log. */
type TakeLine = (text: string) => void;

/**
 * Traces and the log of this process, as far as they are sent anywhere. By default they are not, and nothing
 * of OpenTelemetry is loaded.
 */
@Injectable()
export class Telemetry implements OnApplicationShutdown {
  private readonly log = new Logger(Telemetry.name);
  private readonly stops: (() => Promise<void>)[] = [];

  constructor(
    private readonly settings: Settings,
    private readonly meter: Meter,
  ) {}

  /** undefined: nothing is traced. */
  async startTraces(): Promise<Tracing | undefined> {
    const { telemetry } = this.settings;
    const endpoint = tracesEndpoint(telemetry);
    if (endpoint === undefined || telemetry.tracesSampler === 'always_off') return undefined;
    const { Tracing: Started } = await import('./tracing');
    const tracing = new Started(telemetry, this.wayTo(endpoint, 'traces'));
    this.stops.push(() => tracing.stop());
    return tracing;
  }

  /** undefined: lines go to standard output alone. */
  async startLog(): Promise<TakeLine | undefined> {
    const { telemetry } = this.settings;
    const endpoint = logsEndpoint(telemetry);
    if (endpoint === undefined || !telemetry.hasLog) return undefined;
    const { LogExport } = await import('./log-export');
    const lines = new LogExport(telemetry, this.wayTo(endpoint, 'logs'));
    this.stops.push(() => lines.stop());
    return lines.take;
  }

  /** Last of all, so that what others do until then is sent, too. */
  async onApplicationShutdown(): Promise<void> {
    await settlesWithin(Promise.allSettled(this.stops.map((stop) => stop())), SENT_WITHIN_MS);
  }

  private wayTo(endpoint: OtlpEndpoint, signal: 'logs' | 'traces'): SignalWay {
    const { telemetry, eventExport } = this.settings;
    const items = this.meter.counter('gateway_telemetry_items_total');
    let isFailing = false;
    return {
      sender: new OtlpSender(endpoint, telemetry, [...eventExport.allowedHosts, ...OWN_HOSTS]),
      sent: (count) => {
        items.add({ signal, result: 'sent' }, count);
        if (isFailing) this.log.log(`The collector takes ${signal} again`);
        isFailing = false;
      },
      lost: (count, why) => {
        items.add({ signal, result: 'dropped' }, count);
        // Once: a line for each batch would be one of the next.
        if (!isFailing) this.log.warn(`The collector does not take ${signal}, which are dropped: ${why}`);
        isFailing = true;
      },
    };
  }
}
