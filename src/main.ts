import './kernel/runtime/engine-flags';
import 'reflect-metadata';
import type { Worker } from 'node:cluster';
// Modules that load slowly are imported where they are needed. So a start that fails reports it at once, and
// a primary process does not load modules that only its workers use.
import { readEnvironment } from './platform/config/environment';
import { completeSettings, type Settings } from './platform/config/settings';
import type { Environment } from './platform/config/variables';
import { needsDevelopmentServices } from './development/needed';
import type { DevelopmentServices } from './development/services';
import { messageOf } from './kernel/app-error';
import type { Task } from './process/serve';
import { Started, stopOnSignal } from './process/shutdown';
import { isWorker, taskOfWorker, tellFailed, tellServing } from './process/worker-process';

/** Time for workers to exit after the grace period. It is longer than the limits of serve.ts. */
const WORKERS_GONE_WITHIN_MS = 9_000;

async function main(): Promise<void> {
  if (process.argv.includes('--version')) return printVersion();
  const started = new Started();
  const starting = isWorker() ? work(started) : start(started);
  stopOnSignal(started, starting);
  await starting.catch((error: unknown) => fail(error, started));
}

async function printVersion(): Promise<void> {
  const { versionText } = await import('./operations/version-text');
  process.stdout.write(`${versionText()}\n`);
}

/** Does the work that is needed once for all serving processes, then starts the gateway. */
async function start(started: Started): Promise<void> {
  const environment = readEnvironment(process.env);
  const developing = needsDevelopmentServices(environment) ? develop(environment) : undefined;
  // The development services stop last, because the app needs the database until its end. Waits until they
  // have started, because otherwise a database server that starts slowly would keep running.
  started.onStop(async () => (await developing?.catch(() => undefined))?.stop());
  const development = await developing;
  const settings = completeSettings(environment, development?.provided);
  await prepareDatabase(settings);
  const task = { settings, demo: development?.demo };
  await (settings.process.workers === 1 ? serve(task, started) : serveByWorkers(task, started));
  development?.welcome(settings);
}

async function develop(environment: Environment): Promise<DevelopmentServices> {
  const { startDevelopmentServices } = await import('./development/services');
  return startDevelopmentServices(environment);
}

async function prepareDatabase({ database, sealing }: Settings): Promise<void> {
  const { migrate } = await import('./platform/database/schema/migrate');
  await migrate(database.url, { allowNewer: database.allowNewerSchema });
  const { checkSecretKey } = await import('./operations/key-rotation/key-check');
  await checkSecretKey(database.url, sealing);
}

async function serve(task: Task, started: Started): Promise<void> {
  const gateway = await import('./process/serve');
  await gateway.serve(task, started);
}

async function serveByWorkers({ settings, demo }: Task, started: Started): Promise<void> {
  const [{ logWithoutApp }, { Workers }, { openExchange }] = await Promise.all([
    import('./platform/http/logs/logging'),
    import('./process/workers'),
    import('./process/worker-exchange'),
  ]);
  logWithoutApp(settings.process);
  const { exchange, close } = await openExchange();
  started.onStop(close);
  const onFork = await metricsOfWorkers(settings, started);
  const workers = new Workers<Task>({
    count: settings.process.workers,
    program: __filename,
    task: (isFirst, place) => ({ settings, demo: isFirst ? demo : undefined, exchange, place }),
    stopsWithinMs:
      (settings.process.shutdownDelaySeconds + settings.process.shutdownGraceSeconds) * 1000 +
      WORKERS_GONE_WITHIN_MS,
    onFork,
    onHopeless: (error) => void fail(error, started),
  });
  started.onStop(() => workers.stop());
  await workers.start();
}

async function metricsOfWorkers(
  settings: Settings,
  started: Started,
): Promise<((worker: Worker) => void) | undefined> {
  if (settings.metrics.port === 0) return undefined;
  const { serveMetricsOfWorkers } = await import('./process/serve-metrics');
  return serveMetricsOfWorkers(settings, started);
}

/** Runs a worker. It uses the settings of its primary process and does not read its environment. */
async function work(started: Started): Promise<void> {
  await serve(await taskOfWorker<Task>(), started);
  await tellServing();
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
