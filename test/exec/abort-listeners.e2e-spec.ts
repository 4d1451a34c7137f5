import { getEventListeners } from 'node:events';
import { PostgresScripts } from '../../src/targets/postgres/run-script';
import { describeScoped } from '../support/describe';
import { freePort } from '../support/free-port';
import { freshTarget, secretOf } from '../support/target';

/** Tests that abort listeners are removed. Otherwise they would keep the script and its sockets in memory. */
describeScoped('a script that ended', (begin) => {
  const target = begin(freshTarget, (database) => database.drop());

  it.each([
    ['succeeded', 'SELECT 1', {}, 0],
    ['failed', 'SELECT nothing', {}, 1],
    ['found no target', 'SELECT 1', { PORT: 'free' }, 2],
    ['is in binary form', 'COPY customers TO STDOUT (FORMAT binary)', {}, 1],
  ])('and %s listens to nothing any more', async (_how, script, more, exitCode) => {
    const { signal } = new AbortController();
    const secret = { ...secretOf(target), ...('PORT' in more && { PORT: String(await freePort()) }) };
    const ran = new PostgresScripts().run(
      secret,
      script,
      async () => true,
      signal,
      () => undefined,
    );
    expect(getEventListeners(signal, 'abort').length).toBeGreaterThan(0);
    expect(await ran).toBe(exitCode);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});
