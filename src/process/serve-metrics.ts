import { once } from 'node:events';
import { Logger } from '@nestjs/common';
import { archiveReading } from '../sessions/archive/archive-readings';
import type { Settings } from '../platform/config/settings';
import { Exposition, type ProcessMetrics, render } from '../platform/metrics/exposition';
import { DatabaseReadings } from '../platform/metrics/database-readings';
import { listenForScrapes } from '../platform/metrics/listener';
import { settlesWithin } from '../kernel/async/timeout';
import { Meter } from '../platform/metrics/meter';
import { exportReading } from '../platform/events/export-readings';
import { reviewReading, signOffReading } from '../approvals/reviews/stream/review-readings';
import { deliveryReading } from '../integrations/webhooks/delivery-readings';
import { Connections, type Started } from './shutdown';
import { ServerCertificate } from '../platform/tls/server-certificate';
import { createHttpServer } from '../platform/tls/tls-server';
import { WorkerScrapes } from './worker-scrapes';

/** Value of the label `worker` for the process that started the workers. */
const PRIMARY = 'primary';

/** Maximum wait at shutdown for a running scrape. Short, because serve.ts uses most of the allowed 30 s. */
const SCRAPED_WITHIN_MS = 1_000;

/** State of the workers in a gateway with one process. */
const ALONE = { answering: 1, silent: 0, restarts: 0 };

/** Serves the metrics of a gateway with one process. */
export async function serveMetrics(
  settings: Settings,
  { meter, certificate }: { readonly meter: Meter; readonly certificate: ServerCertificate },
  started: Started,
): Promise<void> {
  const own = new Exposition(meter, '0');
  countWorkers(meter, () => ALONE);
  await listen(settings, { meter, certificate }, started, async () => [await own.metrics()]);
}

/**
 * Serves the metrics of all workers and of this primary process, in one answer.
 *
 * @returns a function to call with each worker when it is started
 */
export async function serveMetricsOfWorkers(
  settings: Settings,
  started: Started,
): Promise<WorkerScrapes['follow']> {
  const meter = new Meter(true);
  const own = new Exposition(meter, PRIMARY);
  const scrapes = new WorkerScrapes();
  countWorkers(meter, () => ({
    answering: scrapes.answering,
    silent: scrapes.silent,
    restarts: Math.max(0, scrapes.started - settings.process.workers),
  }));
  const certificate = new ServerCertificate(settings.tls);
  started.onStop(() => certificate.stop());
  await certificate.start();
  await listen(settings, { meter, certificate }, started, async () => {
    const ofWorkers = await scrapes.collect();
    return [await own.metrics(), ...ofWorkers];
  });
  return scrapes.follow;
}

function countWorkers(meter: Meter, now: () => typeof ALONE): void {
  meter.read('gateway_info', {}, () => 1);
  meter.read('gateway_workers', { state: 'answering' }, () => now().answering);
  meter.read('gateway_workers', { state: 'silent' }, () => now().silent);
  meter.read('gateway_worker_restarts_total', {}, () => now().restarts);
}

async function listen(
  { database, metrics }: Settings,
  { meter, certificate }: { readonly meter: Meter; readonly certificate: ServerCertificate },
  started: Started,
  collect: () => Promise<ProcessMetrics[]>,
): Promise<void> {
  const readings = new DatabaseReadings(
    database.url,
    [reviewReading, signOffReading, deliveryReading, exportReading, archiveReading],
    meter,
  );
  started.onStop(() => readings.close());
  const openServer: Parameters<typeof listenForScrapes>[1] = (limits, listener) =>
    createHttpServer({ certificate, port: 'metrics' }, limits, listener);
  const server = await listenForScrapes(metrics, openServer, async () => {
    await readings.refresh();
    return render(await collect());
  });
  const connections = new Connections(server);
  started.onLeave(() => connections.leave());
  started.onStop(async () => {
    connections.drain(SCRAPED_WITHIN_MS);
    await settlesWithin(once(server, 'close'), SCRAPED_WITHIN_MS);
  });
  const scheme = certificate.pairFor('metrics') === undefined ? 'http' : 'https';
  new Logger('Metrics').log(`metrics at ${scheme}://${metrics.host}:${metrics.port}/metrics`);
}
