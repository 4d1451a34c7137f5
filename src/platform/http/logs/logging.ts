import { type DynamicModule, Injectable, Logger as NestLogger } from '@nestjs/common';
import { Logger, LoggerModule, type Params, PinoLogger } from 'nestjs-pino';
import { ProcessSettings } from '../../config/groups';
import { once } from '../../../kernel/async/once';
import { LogLines } from './log-lines';
import { requestOfThisLine } from './request-log';

/** Names of the loggers with which NestJS reports its start. The lines are useful only to debug NestJS. */
const FRAMEWORK = new Set([
  'InstanceLoader',
  'RouterExplorer',
  'RoutesResolver',
  'NestFactory',
  'NestApplication',
]);

/** The log destination of this process. It is shared, because tests run several apps in one process. */
export const logLines = once(() => new LogLines());

/** Makes the module that logs JSON lines to standard output. `logRequests` logs the requests. */
export function loggerModule(settings: ProcessSettings): DynamicModule {
  return LoggerModule.forRoot(loggerParams(settings));
}

/** Sets up the JSON lines of `loggerModule` for a process without an app. */
export function logWithoutApp(settings: ProcessSettings): void {
  const params = loggerParams(settings);
  NestLogger.overrideLogger(new AppLogger(new PinoLogger(params), params));
}

function loggerParams(settings: ProcessSettings): Params {
  return {
    pinoHttp: [
      {
        level: settings.logLevel,
        mixin: requestOfThisLine,
        serializers: { err: describeError },
        // Otherwise the library's serializer runs first, and `describeError` does not get the original error.
        wrapSerializers: false,
      },
      logLines(),
    ],
    forRoutes: [],
  };
}

/**
 * Returns the parts of an error that may be logged. Statements, parameters and details that drivers attach
 * are left out, because they may contain secrets.
 */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, stack, cause } = error;
  const { code } = error as { code?: unknown };
  return { name, message, code, stack, ...(cause instanceof Error ? { cause: describeError(cause) } : {}) };
}

/** The app's logger. Lines that NestJS logs while it starts get the level `debug`. */
@Injectable()
export class AppLogger extends Logger {
  override log(message: unknown, ...optional: unknown[]): void {
    if (FRAMEWORK.has(String(optional.at(-1)))) this.debug(message, ...(optional as []));
    else super.log(message, ...(optional as []));
  }
}
