/**
 * Everything that a gateway in this process logs, instead of printing it. To be called before the gateway starts,
 * which takes a LOG_LEVEL: pino writes to the stream, not to its descriptor, once somebody listens in on it.
 */
export function captureLog(): { text(): string; restore(): void } {
  const written: string[] = [];
  const spy = jest.spyOn(process.stdout, 'write').mockImplementation((data) => {
    written.push(String(data));
    return true;
  });
  return { text: () => written.join(''), restore: () => spy.mockRestore() };
}
