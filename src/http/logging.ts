import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type DynamicModule, Injectable } from '@nestjs/common';
import { Logger, LoggerModule } from 'nestjs-pino';
import { Settings } from '../config/settings';

/** A request id that a caller may bring: nothing that could break a log line or a header. */
const SAFE_REQUEST_ID = /^[\w.:-]{1,128}$/;

/** Contexts in which the framework tells of its own start; of interest only when debugging it. */
const FRAMEWORK = new Set([
  'InstanceLoader',
  'RouterExplorer',
  'RoutesResolver',
  'NestFactory',
  'NestApplication',
]);

/** JSON lines on standard output. Credentials, queries and bodies are never logged. */
export function loggerModule(settings: Settings): DynamicModule {
  return LoggerModule.forRoot({
    pinoHttp: {
      level: settings.LOG_LEVEL,
      genReqId: (request: IncomingMessage, response: ServerResponse) => {
        const given = request.headers['x-request-id'];
        const id = typeof given === 'string' && SAFE_REQUEST_ID.test(given) ? given : randomUUID();
        response.setHeader('x-request-id', id);
        return id;
      },
      serializers: {
        // The query is left out: callbacks carry codes there. Of headers, nothing is kept.
        req: (request: { id: string; method: string; url: string; remoteAddress: string }) => ({
          id: request.id,
          method: request.method,
          path: request.url.split('?')[0],
          remoteAddress: request.remoteAddress,
        }),
        res: (response: { statusCode: number }) => ({ statusCode: response.statusCode }),
        err: describeError,
      },
      customSuccessMessage: () => 'request',
      customErrorMessage: () => 'request',
      autoLogging: { ignore: (request: IncomingMessage) => request.url?.endsWith('/healthz') === true },
    },
  });
}

/** What a log may know of an error. Drivers attach statements, parameters and details, which may hold secrets. */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, stack, cause } = error;
  const { code } = error as { code?: unknown };
  return { name, message, code, stack, ...(cause === undefined ? {} : { cause: describeError(cause) }) };
}

/** The app's logger, with the framework's own talk about its start turned down to `debug`. */
@Injectable()
export class AppLogger extends Logger {
  override log(message: unknown, ...optional: unknown[]): void {
    if (FRAMEWORK.has(String(optional.at(-1)))) this.debug(message, ...(optional as []));
    else super.log(message, ...(optional as []));
  }
}
