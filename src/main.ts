import 'reflect-metadata';
import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { readEnvironment } from './config/environment';
import { completeSettings, type Settings } from './config/settings';
import { createApp } from './create-app';
import { migrate } from './database/migrate';
import { type DemoDatabase, seedDemo } from './development/demo';
import { needsDevelopmentServices, startDevelopmentServices } from './development/services';
import { Readiness } from './health/readiness';
import { logWithoutApp } from './http/logging';
import { messageOf } from './kernel/app-error';
import { settlesWithin } from './kernel/timeout';
import { checkSecretKey } from './key-rotation/key-check';
import { Connections, Started, stopOnSignal } from './shutdown';
import { isWorker, taskOfWorker, tellFailed, tellServing } from './worker-process';
import { Workers } from './workers';

/** After the grace period: time for cancelled scripts to end and their callers to be answered. */
const ANSWERS_WITHIN_MS = 6_000;
/** After the grace period: time to close everything. Orchestrators kill 30 s after SIGTERM; by default 5 s of delay and 15 s of grace come first. */
const CLOSED_WITHIN_MS = 8_000;
/** After the grace period: time for workers to exit, which have the limits above. */
const WORKERS_GONE_WITHIN_MS = 9_000;

/** What a process needs to serve as a gateway. */
interface Task {
  readonly settings: Settings;
  /** The demo database that this process must seed. */
  readonly demo: DemoDatabase | undefined;
}

async function main(): Promise<void> {
  const started = new Started();
  const starting = isWorker() ? work(started) : start(started);
  stopOnSignal(started, starting);
  await starting.catch((error: unknown) => fail(error, started));
}

/** Does what is done only once, however many processes serve; then starts the gateway. */
async function start(started: Started): Promise<void> {
  const environment = readEnvironment(process.env);
  const development = needsDevelopmentServices(environment)
    ? await startDevelopmentServices(environment)
    : undefined;
  // Stops last, because the app needs the database until its end.
  if (development !== undefined) started.onStop(() => development.stop());
  const settings = completeSettings(environment, development?.provided);
  await migrate(settings.database.url, { allowNewer: settings.database.allowNewerSchema });
  await checkSecretKey(settings.database.url, settings.sealing);
  const task = { settings, demo: development?.demo };
  await (settings.process.workers === 1 ? serve(task, started) : serveByWorkers(task, started));
  development?.welcome(settings);
}

async function serve({ settings, demo }: Task, started: Started): Promise<void> {
  const app = await createApp(settings);
  const connections = new Connections(app.getHttpServer());
  started.onStop(() => close(app, connections, settings));
  await listen(app, settings);
  // Steps run in reverse order, so this one runs before the app is closed.
  started.onStop(() => leaveLoadBalancers(app, settings));
  if (demo !== undefined) await seedDemo(app, demo);
}

async function serveByWorkers({ settings, demo }: Task, started: Started): Promise<void> {
  logWithoutApp(settings.process);
  const workers = new Workers<Task>({
    count: settings.process.workers,
    program: __filename,
    task: (isFirst) => ({ settings, demo: isFirst ? demo : undefined }),
    stopsWithinMs:
      (settings.process.shutdownDelaySeconds + settings.process.shutdownGraceSeconds) * 1000 +
      WORKERS_GONE_WITHIN_MS,
    onHopeless: (error) => void fail(error, started),
  });
  started.onStop(() => workers.stop());
  await workers.start();
}

/** A worker does not read its environment: it gets the settings that its primary process read. */
async function work(started: Started): Promise<void> {
  await serve(await taskOfWorker<Task>(), started);
  await tellServing();
}

/** Load balancers must learn that this gateway is stopping before it refuses connections. */
async function leaveLoadBalancers(
  app: NestExpressApplication,
  { process: { shutdownDelaySeconds } }: Settings,
): Promise<void> {
  app.get(Readiness).stop();
  await delay(shutdownDelaySeconds * 1000);
}

/** Stops accepting, lets running work finish, flushes, and exits. */
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
    new Logger('Gateway').log(`listening on ${host}:${port}`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    const sentence = `Something else listens on ${host}:${port} already. Stop it, or set PORT to a free port.`;
    throw new Error(sentence, { cause: error });
  }
}

/** Stops what was started, reports the error, and exits. */
async function fail(error: unknown, started: Started): Promise<never> {
  await started.stop().catch(() => undefined);
  const details = process.env['LOG_LEVEL'] === 'debug' && error instanceof Error ? error.stack : undefined;
  const why = details ?? messageOf(error);
  if (isWorker()) await tellFailed(why);
  else process.stderr.write(`${why}\n`);
  process.exit(1);
}

void main();
