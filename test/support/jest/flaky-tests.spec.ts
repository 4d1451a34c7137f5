import { join } from 'node:path';

interface Reporter {
  onRunComplete(contexts: unknown, results: unknown): void;
}

const FlakyTests = require(join(__dirname, 'flaky-tests.cjs')) as new () => Reporter;

describe('what is said of tests that were repeated', () => {
  const said = (retries: string | undefined, tests: readonly unknown[]): string => {
    const before = process.env['TEST_RETRIES'];
    const written = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    try {
      if (retries === undefined) delete process.env['TEST_RETRIES'];
      else process.env['TEST_RETRIES'] = retries;
      new FlakyTests().onRunComplete(undefined, {
        testResults: [{ testFilePath: 'some.browser-spec.ts', testResults: tests }],
      });
      return written.mock.calls.map(([text]) => String(text)).join('');
    } finally {
      written.mockRestore();
      if (before === undefined) delete process.env['TEST_RETRIES'];
      else process.env['TEST_RETRIES'] = before;
    }
  };
  const steady = { fullName: 'steady', status: 'passed', invocations: 1 };
  const flaky = { fullName: 'flaky', status: 'passed', invocations: 2 };
  const failing = { fullName: 'failing', status: 'failed', invocations: 2 };

  it('names those that passed then, and no others', () => {
    const text = said('1', [steady, flaky, failing]);
    expect(text).toBe('Passed only when repeated:\n  flaky, 2 runs (some.browser-spec.ts)\n');
  });

  it('is that there were none', () => {
    expect(said('1', [steady, failing])).toBe('No test had to be repeated.\n');
  });

  it('is nothing where tests are not repeated', () => {
    expect(said(undefined, [steady])).toBe('');
  });
});
