import { logLines } from '../../src/platform/http/logs/logging';

/**
 * Collects the log of a gateway in this process, instead of printing it. Call it before the gateway starts:
 * pino then writes to the replaced stream, not to its file descriptor. The gateway needs a LOG_LEVEL.
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
