import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Settings } from '../platform/config/settings';
import { createApp } from './create-app';
import { type Demo, seedDemo } from '../development/demo';
import { Readiness } from '../operations/health/readiness';
import { GarbageAtRest } from '../kernel/runtime/garbage-at-rest';
import { collectGarbageOfStart } from '../kernel/runtime/garbage-of-start';
import { Meter } from '../platform/metrics/meter';
import { leaveSharedWork } from '../kernel/async/periodic-task';
import { settlesWithin } from '../kernel/async/timeout';
import { GatewayCounts } from '../proxies/kit/counts';
import { type WorkerExchange, WorkerLinks } from '../proxies/kit/worker-links';
import { Connections, type Started } from './shutdown';
import { ServerCertificate } from '../platform/tls/server-certificate';
import { CountsOfPrimary } from './worker-counts';

/** Time after the grace period for cancelled scripts to end and for their callers to get an answer. */
const ANSWERS_WITHIN_MS = 6_000;
/**
 * Time after the grace period to close everything. Orchestrators kill a process 30 s after SIGTERM. By
 * default, 5 s of delay and 15 s of grace come before this time.
 */
const CLOSED_WITHIN_MS = 8_000;

/** Parameters of a process that serves requests. */
export interface Task {
  readonly settings: Settings;
  /** The demo that this process must seed. */
  readonly demo: Demo | undefined;
  /** Exchange through which the workers reach each other; undefined in a gateway with one process. */
  readonly exchange?: WorkerExchange | undefined;
  /** Number of this worker, from 0. Worker 0 does the work that one process can do for all. */
  readonly place?: number;
}

/** Starts the gateway, and registers the steps that stop it. */
export async function serve({ settings, demo, exchange, place = 0 }: Task, started: Started): Promise<void> {
  if (place > 0) leaveSharedWork();
  const app = await createApp(settings);
  const connections = new Connections(app.getHttpServer());
  started.onLeave(() => connections.leave());
  started.onStop(() => close(app, connections, settings));
  if (exchange !== undefined) await joinWorkers(app, exchange);
  if (settings.metrics.port > 0) await exposeMetrics(app, { settings, demo, exchange, place }, started);
  collectGarbageOfStart();
  const garbage = new GarbageAtRest((message) => new Logger(GarbageAtRest.name).warn(message));
  started.onStop(() => garbage.stop());
  garbage.start();
  await listen(app, settings);
  // The steps run in reverse order of registration, so this step runs before the app is closed.
  started.onStop(() => leaveLoadBalancers(app, settings));
  if (demo !== undefined) await seedDemo(app, demo);
}

/**
 * Exposes the metrics of this process. A worker sends them to its primary process, which answers scrapes. The
 * code is loaded only if metrics are on.
 */
async function exposeMetrics(
  app: NestExpressApplication,
  { settings, exchange, place }: Task,
  started: Started,
): Promise<void> {
  const meter = app.get(Meter);
  if (exchange === undefined) {
    const { serveMetrics } = await import('./serve-metrics');
    return serveMetrics(settings, { meter, certificate: app.get(ServerCertificate) }, started);
  }
  const [{ Exposition }, { answerScrapes }] = await Promise.all([
    import('../platform/metrics/exposition'),
    import('./worker-scrapes'),
  ]);
  answerScrapes(new Exposition(meter, String(place)));
}

async function joinWorkers(app: NestExpressApplication, exchange: WorkerExchange): Promise<void> {
  app.get(GatewayCounts).use(new CountsOfPrimary());
  await app.get(WorkerLinks).open(exchange, app.getHttpServer());
}

/** Reports "not ready" and waits, so that load balancers stop sending requests before the port closes. */
async function leaveLoadBalancers(
  app: NestExpressApplication,
  { process: { shutdownDelaySeconds } }: Settings,
): Promise<void> {
  app.get(Readiness).stop();
  await delay(shutdownDelaySeconds * 1000);
}

/** Stops accepting, lets running work finish, and closes the app. */
async function close(
  app: NestExpressApplication,
  connections: Connections,
  { process: { shutdownGraceSeconds } }: Settings,
): Promise<void> {
  const graceMs = shutdownGraceSeconds * 1000;
  connections.drain(graceMs + ANSWERS_WITHIN_MS);
  const closed = app.close();
  if (!(await settlesWithin(closed, graceMs + CLOSED_WITHIN_MS)))
    throw new Error('the app did not close in time');
  await closed;
}

async function listen(app: NestExpressApplication, { http: { host, port } }: Settings): Promise<void> {
  try {
    await app.listen(port, host);
    new Logger('Gateway').log(`listening on ${host}:${port}, Node.js ${process.versions.node}`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    const sentence = `Something else listens on ${host}:${port} already. Stop it, or set PORT to a free port.`;
    throw new Error(sentence, { cause: error });
  }
}
