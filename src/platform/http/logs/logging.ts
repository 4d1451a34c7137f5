import { type DynamicModule, Injectable, Logger as NestLogger } from '@nestjs/common';
import { Logger, LoggerModule, type Params, PinoLogger } from 'nestjs-pino';
import { ProcessSettings } from '../../config/groups';
import { once } from '../../../kernel/async/once';
import { LogLines } from './log-lines';
import { requestOfThisLine } from './request-log';

/** Loggers of the framework's own start, which are interesting only for debugging it. */
const FRAMEWORK = new Set([
  'InstanceLoader',
  'RouterExplorer',
  'RoutesResolver',
  'NestFactory',
  'NestApplication',
]);

/** One for the process: several apps, as in tests, write to the same output. */
export const logLines = once(() => new LogLines());

/** JSON lines on standard output. Requests are logged by `logRequests`, before any module's middleware. */
export function loggerModule(settings: ProcessSettings): DynamicModule {
  return LoggerModule.forRoot(loggerParams(settings));
}

/** The same JSON lines for a process without an app. */
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
        // Otherwise the library's own serializer runs first, and this one does not get the error itself.
        wrapSerializers: false,
      },
      logLines(),
    ],
    forRoutes: [],
  };
}

/**
 * Loggable parts of an error. Drivers attach statements, parameters and details, which may contain secrets.
 */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, stack, cause } = error;
  const { code } = error as { code?: unknown };
  return { name, message, code, stack, ...(cause instanceof Error ? { cause: describeError(cause) } : {}) };
}

/** The app's logger. Lines of the framework's start get the level `debug`. */
@Injectable()
export class AppLogger extends Logger {
  override log(message: unknown, ...optional: unknown[]): void {
    if (FRAMEWORK.has(String(optional.at(-1)))) this.debug(message, ...(optional as []));
    else super.log(message, ...(optional as []));
  }
}
