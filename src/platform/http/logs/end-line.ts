import { PinoLogger } from 'nestjs-pino';

/**
 * Writes the line of a request that has ended. The logger is that of the last app, and may be gone when a
 * connection closes late: then nothing is written. Listeners of `close` call this, and an error that they
 * throw would end the process.
 */
export function writeEndLine(end: object): void {
  PinoLogger.root?.info(end, 'request');
}
