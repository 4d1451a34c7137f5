/** Replaces `AbortSignal.timeout`, so that the test decides when time limits are reached. */
export function stoppedPatience(): { runOut(): void; longest(): number; restore(): void } {
  const waits: { ms: number; controller: AbortController }[] = [];
  const timeout = jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    const controller = new AbortController();
    waits.push({ ms, controller });
    return controller.signal;
  });
  return {
    runOut: () => {
      for (const { controller } of waits) controller.abort(new DOMException('too slow', 'TimeoutError'));
    },
    longest: () => Math.max(...waits.map(({ ms }) => ms)),
    restore: () => timeout.mockRestore(),
  };
}
