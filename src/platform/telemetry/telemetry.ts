import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Settings } from '../config/settings';
import { OWN_HOSTS } from '../config/values';
import { settlesWithin } from '../../kernel/async/timeout';
import { Meter } from '../metrics/meter';
import { type OtlpEndpoint, logsEndpoint, tracesEndpoint } from './otlp-endpoint';
import { OtlpSender } from './otlp-sender';
import type { SignalWay } from './signal-way';
import type { Tracing } from './tracing';

/** Maximum wait for a collector when the gateway stops. */
const SENT_WITHIN_MS = 2_000;

/** Receives each log line. */
type TakeLine = (text: string) => void;

/**
 * Export of traces and log lines of this process. It is off by default; then no code of OpenTelemetry is
 * loaded.
 */
@Injectable()
export class Telemetry implements OnApplicationShutdown {
  private readonly log = new Logger(Telemetry.name);
  private readonly stops: (() => Promise<void>)[] = [];

  constructor(
    private readonly settings: Settings,
    private readonly meter: Meter,
  ) {}

  /** Starts the export of traces. Returns undefined if nothing is traced. */
  async startTraces(): Promise<Tracing | undefined> {
    const { telemetry } = this.settings;
    const endpoint = tracesEndpoint(telemetry);
    if (endpoint === undefined || telemetry.tracesSampler === 'always_off') return undefined;
    const { Tracing: Started } = await import('./tracing');
    const tracing = new Started(telemetry, this.wayTo(endpoint, 'traces'));
    this.stops.push(() => tracing.stop());
    return tracing;
  }

  /** Starts the export of log lines. Returns undefined if they go to standard output only. */
  async startLog(): Promise<TakeLine | undefined> {
    const { telemetry } = this.settings;
    const endpoint = logsEndpoint(telemetry);
    if (endpoint === undefined || !telemetry.hasLog) return undefined;
    const { LogExport } = await import('./log-export');
    const lines = new LogExport(telemetry, this.wayTo(endpoint, 'logs'));
    this.stops.push(() => lines.stop());
    return lines.take;
  }

  /** Runs last in the shutdown, so that spans and log lines of the earlier steps are sent too. */
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
        // Warns only once, because each warning is a log line that the next batch would have to send too.
        if (!isFailing) this.log.warn(`The collector does not take ${signal}, which are dropped: ${why}`);
        isFailing = true;
      },
    };
  }
}
