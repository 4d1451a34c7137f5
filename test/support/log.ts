import { logLines } from '../../src/platform/http/logs/logging';

/**
 * Collects the log of a gateway in this process, instead of printing it. Must be called before the gateway
 * starts, which needs a LOG_LEVEL: once the stream is replaced, pino writes to it and not to its descriptor.
 */
export function captureLog(): { text(): string; restore(): void } {
  const written: string[] = [];
  const spy = jest.spyOn(process.stdout, 'write').mockImplementation((data) => {
    written.push(String(data));
    return true;
  });
  const flush = (): void => logLines().flushSync();
  return {
    text: () => {
      flush();
      return written.join('');
    },
    restore: () => {
      flush();
      spy.mockRestore();
    },
  };
}
