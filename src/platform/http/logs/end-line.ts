import { PinoLogger } from 'nestjs-pino';

/**
 * Writes the log line of a request that has ended. Writes nothing if a connection closes after the app and
 * its logger are gone. It must not throw, because it runs in `close` listeners, where an error would end the
 * process.
 */
export function writeEndLine(end: object): void {
  PinoLogger.root?.info(end, 'request');
}
