import 'reflect-metadata';
import { Logger } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { ConfigurationError, completeSettings, readEnvironment } from './config/settings';
import { createApp } from './create-app';
import { migrate } from './database/migrate';
import {
  type DevelopmentServices,
  needsDevelopmentServices,
  startDevelopmentServices,
} from './development/services';
import { messageOf } from './kernel/app-error';

async function main(): Promise<void> {
  const environment = readEnvironment(process.env);
  const development = needsDevelopmentServices(environment)
    ? await startDevelopmentServices(environment)
    : undefined;
  try {
    const settings = completeSettings(environment, development?.provided);
    await migrate(settings.DATABASE_URL);
    const app = await createApp(settings);
    stopOnSignal(app, development);
    await app.listen(settings.PORT, settings.HOST);
    await development?.welcome(app, settings);
  } catch (error) {
    await development?.stop();
    throw error;
  }
}

/** Stop accepting, let what runs finish, flush, and leave; the database goes last. */
function stopOnSignal(app: NestExpressApplication, development: DevelopmentServices | undefined): void {
  const log = new Logger('Shutdown');
  let stopping = false;
  const stop = async (signal: string): Promise<void> => {
    if (stopping) return;
    stopping = true;
    log.log(`${signal}: finishing what runs`);
    app.getHttpServer().close();
    await app.close();
    await development?.stop();
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      stop(signal).catch((error: unknown) => {
        log.error({ err: error }, 'The shutdown failed');
        process.exit(1);
      });
    });
  }
}

main().catch((error: unknown) => {
  const isPlain = error instanceof ConfigurationError || process.env['LOG_LEVEL'] !== 'debug';
  process.stderr.write(`${isPlain ? messageOf(error) : (error as Error).stack}\n`);
  process.exit(1);
});
