import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../support/root';

const SOURCE = join(ROOT, 'src');

/** Files that may have an interval of their own, and why it is not a `PeriodicTask`. */
const INTERVALS: Readonly<Record<string, string>> = {
  'kernel/async/periodic-task.ts': 'is the one for all periodic work',
  'guardrails/analysis/analysis-pool.ts':
    'watches the tasks of its threads while there are some; does no work that could overlap',
  'platform/http/streams/send-stream.ts': 'keeps one stream alive; does no work that could overlap',
  'proxies/mcp/http/answer.ts': 'keeps one stream alive; does no work that could overlap',
  'proxies/kit/hang-up.ts': 'watches one socket that closes; does no work that could overlap',
  'process/shutdown.ts': 'compares two process ids; before there is an app',
};

/** Files that may race promises, and why they do not use `resultWithin`. */
const RACES: Readonly<Record<string, string>> = {
  'kernel/async/timeout.ts': 'is the one for all time-outs',
  'targets/postgres/run-script.ts': 'races against an AbortSignal',
  'integrations/webhooks/webhook-sender.ts': 'races against an AbortSignal',
  'targets/mcp/upstream/legacy-subscriptions.ts': 'races against an AbortSignal',
  'process/worker-process.ts': 'races against the end of a process',
};

function filesWith(pattern: RegExp): string[] {
  return readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
    .filter((file) => pattern.test(readFileSync(join(SOURCE, file), 'utf8')))
    .map((file) => file.replaceAll('\\', '/'))
    .sort();
}

describe('timers', () => {
  it('periodic work is a PeriodicTask, except for intervals with a reason', () => {
    expect(filesWith(/\bsetInterval\(/)).toEqual(Object.keys(INTERVALS).sort());
  });

  it('time-outs of promises use resultWithin, except for races with a reason', () => {
    expect(filesWith(/\bPromise\.race\(/)).toEqual(Object.keys(RACES).sort());
  });
});
