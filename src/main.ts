import 'reflect-metadata';
import { Logger } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { completeSettings, readEnvironment, type Settings } from './config/settings';
import type { Environment } from './config/variables';
import { createApp } from './create-app';
import { migrate } from './database/migrate';
import { needsDevelopmentServices, startDevelopmentServices } from './development/services';
import { messageOf } from './kernel/app-error';
import { Connections, Started, settledWithin, stopOnSignal } from './shutdown';

/** After the grace: for cancelled scripts to go, and for their callers to be told. */
const ANSWERS_WITHIN_MS = 6_000;
/** After the grace: for all of it. Orchestrators kill 30 s after SIGTERM, and the default grace is 20 s. */
const CLOSED_WITHIN_MS = 8_000;

async function main(): Promise<void> {
  const environment = readEnvironment(process.env);
  const started = new Started();
  const starting = start(environment, started);
  stopOnSignal(started, starting);
  try {
    await starting;
  } catch (error) {
    await started.stop();
    throw error;
  }
}

async function start(environment: Environment, started: Started): Promise<void> {
  const development = needsDevelopmentServices(environment)
    ? await startDevelopmentServices(environment)
    : undefined;
  // Last of all goes the database.
  if (development !== undefined) started.onStop(() => development.stop());
  const settings = completeSettings(environment, development?.provided);
  await migrate(settings.DATABASE_URL);
  const app = await createApp(settings);
  const connections = new Connections(app.getHttpServer());
  started.onStop(() => close(app, connections, settings));
  await listen(app, settings);
  await development?.welcome(app, settings);
}

/** Stop accepting, let what runs finish, flush, and leave. */
async function close(
  app: NestExpressApplication,
  connections: Connections,
  { SHUTDOWN_GRACE_SECONDS }: Settings,
): Promise<void> {
  const graceMs = SHUTDOWN_GRACE_SECONDS * 1000;
  connections.drain(graceMs + ANSWERS_WITHIN_MS);
  const closed = app.close();
  if (!(await settledWithin(closed, graceMs + CLOSED_WITHIN_MS))) throw new Error('the app does not close');
  await closed;
}

async function listen(app: NestExpressApplication, { HOST, PORT }: Settings): Promise<void> {
  try {
    await app.listen(PORT, HOST);
    new Logger('Gateway').log(`listening on ${HOST}:${PORT}`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    const sentence = `Something else listens on ${HOST}:${PORT} already. Stop it, or set PORT to a free port.`;
    throw new Error(sentence, { cause: error });
  }
}

main().catch((error: unknown) => {
  const details = process.env['LOG_LEVEL'] === 'debug' && error instanceof Error ? error.stack : undefined;
  process.stderr.write(`${details ?? messageOf(error)}\n`);
  process.exit(1);
});
