import { type DynamicModule, Injectable, Logger as NestLogger } from '@nestjs/common';
import { Logger, LoggerModule, type Params, PinoLogger } from 'nestjs-pino';
import { ProcessSettings } from '../config/groups';
import { requestOfThisLine } from './request-log';

/** Contexts in which the framework tells of its own start; of interest only when debugging it. */
const FRAMEWORK = new Set([
  'InstanceLoader',
  'RouterExplorer',
  'RoutesResolver',
  'NestFactory',
  'NestApplication',
]);

/** JSON lines on standard output. Requests are logged by `logRequests`, before any module's middleware. */
export function loggerModule(settings: ProcessSettings): DynamicModule {
  return LoggerModule.forRoot(loggerParams(settings));
}

/** The same lines from a process that has no app. */
export function logWithoutApp(settings: ProcessSettings): void {
  const params = loggerParams(settings);
  NestLogger.overrideLogger(new AppLogger(new PinoLogger(params), params));
}

function loggerParams(settings: ProcessSettings): Params {
  return {
    pinoHttp: {
      level: settings.logLevel,
      mixin: requestOfThisLine,
      serializers: { err: describeError },
      // Otherwise the library's own serializer comes first, and ours is never shown the error itself.
      wrapSerializers: false,
    },
    forRoutes: [],
  };
}

/** What a log may know of an error. Drivers attach statements, parameters and details, which may hold secrets. */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, stack, cause } = error;
  const { code } = error as { code?: unknown };
  return { name, message, code, stack, ...(cause instanceof Error ? { cause: describeError(cause) } : {}) };
}

/** The app's logger, with the framework's own talk about its start turned down to `debug`. */
@Injectable()
export class AppLogger extends Logger {
  override log(message: unknown, ...optional: unknown[]): void {
    if (FRAMEWORK.has(String(optional.at(-1)))) this.debug(message, ...(optional as []));
    else super.log(message, ...(optional as []));
  }
}
