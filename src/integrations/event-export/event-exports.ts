import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Settings } from '../../platform/config/settings';
import { OWN_HOSTS } from '../../platform/config/values';
import { ExportCursors } from '../../platform/events/export-cursors';
import { Meter } from '../../platform/metrics/meter';
import { logsEndpoint } from '../../platform/telemetry/otlp-endpoint';
import type { Destination } from './contract/destination';
import { EventSource } from './event-source';
import { Exporter } from './exporter';
import { OtlpDestination } from './otlp/otlp-destination';
import { SyslogDestination } from './syslog/syslog-destination';

/** Exports events to the configured destinations; by default there are none. */
@Injectable()
export class EventExports implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private exporters: readonly Exporter[] = [];

  constructor(
    private readonly settings: Settings,
    private readonly cursors: ExportCursors,
    private readonly source: EventSource,
    private readonly meter: Meter,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const destinations = this.destinations();
    if (destinations.length === 0) return;
    const { cursors, source } = this;
    const sent = this.meter.counter('gateway_export_events_total');
    const failures = this.meter.counter('gateway_export_failures_total');
    // Creates the cursors first, so that the outbox keeps events from now on, even if a receiver is down.
    for (const { name } of destinations) await cursors.begin(name);
    this.exporters = destinations.map((to) => new Exporter(to, { cursors, source, sent, failures }));
    for (const exporter of this.exporters) exporter.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.allSettled(this.exporters.map((exporter) => exporter.stop()));
  }

  private destinations(): Destination[] {
    const { syslog, telemetry, eventExport, http } = this.settings;
    const allowedHosts = [...eventExport.allowedHosts, ...OWN_HOSTS];
    const origin = { host: new URL(http.apiUrl).hostname, app: telemetry.serviceName };
    const logs = logsEndpoint(telemetry);
    return [
      ...(syslog.receiver === undefined ? [] : [new SyslogDestination(syslog, allowedHosts, origin)]),
      ...(logs === undefined ? [] : [new OtlpDestination(logs, telemetry, allowedHosts)]),
    ];
  }
}
