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
import { checkSecretKey } from './key-rotation/key-check';
import { Connections, Started, settledWithin, stopOnSignal } from './shutdown';
import { isWorker, taskOfWorker, tellFailed, tellServing } from './worker-process';
import { Workers } from './workers';

/** After the grace: for cancelled scripts to go, and for their callers to be told. */
const ANSWERS_WITHIN_MS = 6_000;
/** After the grace: for all of it. Orchestrators kill 30 s after SIGTERM; by default 5 s of delay and 15 s of grace come before. */
const CLOSED_WITHIN_MS = 8_000;
/** After the grace: for workers to be gone, which keep to the above. */
const WORKERS_GONE_WITHIN_MS = 9_000;

/** What a process needs to know to be a gateway. */
interface Task {
  readonly settings: Settings;
  /** To be seeded by this one. */
  readonly demo: DemoDatabase | undefined;
}

async function main(): Promise<void> {
  const started = new Started();
  const starting = isWorker() ? work(started) : start(started);
  stopOnSignal(started, starting);
  await starting.catch((error: unknown) => fail(error, started));
}

/** What is done once, however many processes serve; then the gateway itself. */
async function start(started: Started): Promise<void> {
  const environment = readEnvironment(process.env);
  const development = needsDevelopmentServices(environment)
    ? await startDevelopmentServices(environment)
    : undefined;
  // Last of all goes the database.
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
  // Runs before what closes: what is started last stops first.
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

/** A worker does not read its environment: it has what its primary read, however long ago that was. */
async function work(started: Started): Promise<void> {
  await serve(await taskOfWorker<Task>(), started);
  await tellServing();
}

/** Whoever sends requests here has to learn that this gateway goes before it goes. */
async function leaveLoadBalancers(
  app: NestExpressApplication,
  { process: { shutdownDelaySeconds } }: Settings,
): Promise<void> {
  app.get(Readiness).stop();
  await delay(shutdownDelaySeconds * 1000);
}

/** Stop accepting, let what runs finish, flush, and leave. */
async function close(
  app: NestExpressApplication,
  connections: Connections,
  { process: { shutdownGraceSeconds } }: Settings,
): Promise<void> {
  const graceMs = shutdownGraceSeconds * 1000;
  connections.drain(graceMs + ANSWERS_WITHIN_MS);
  const closed = app.close();
  if (!(await settledWithin(closed, graceMs + CLOSED_WITHIN_MS))) throw new Error('the app does not close');
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

/** Takes down what was started, says why, and leaves. */
async function fail(error: unknown, started: Started): Promise<never> {
  await started.stop().catch(() => undefined);
  const details = process.env['LOG_LEVEL'] === 'debug' && error instanceof Error ? error.stack : undefined;
  const why = details ?? messageOf(error);
  if (isWorker()) await tellFailed(why);
  else process.stderr.write(`${why}\n`);
  process.exit(1);
}

void main();
