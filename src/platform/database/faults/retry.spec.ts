import { Logger } from '@nestjs/common';
import { DatabaseError } from 'pg';
import { QueryFailedError } from 'typeorm';
import { withRetries, wasRolledBack } from './retry';

function refused(code: string): QueryFailedError {
  return new QueryFailedError('UPDATE', [], Object.assign(new DatabaseError('no', 2, 'error'), { code }));
}

/** Returns `work`, which fails `times` times with this code, and then succeeds. */
function failing(times: number, code: string): { work: () => Promise<string>; tries: () => number } {
  let tries = 0;
  const work = async (): Promise<string> => {
    tries += 1;
    if (tries <= times) throw refused(code);
    return 'done';
  };
  return { work, tries: () => tries };
}

describe('retried', () => {
  beforeAll(() => Logger.overrideLogger(false));

  it.each(['40P01', '40001'])('runs work again that the database took back with %s', async (code) => {
    const { work, tries } = failing(3, code);
    expect(await withRetries(work)).toBe('done');
    expect(tries()).toBe(4);
  });

  it('is bounded, and throws what the database said last', async () => {
    const { work, tries } = failing(100, '40P01');
    const error = await withRetries(work).catch((thrown: unknown) => thrown);
    expect(wasRolledBack(error)).toBe(true);
    expect(tries()).toBe(4);
  });

  it.each(['23505', '57014', '25P02'])('runs work once that failed with %s', async (code) => {
    const { work, tries } = failing(1, code);
    await expect(withRetries(work)).rejects.toThrow('no');
    expect(tries()).toBe(1);
  });
});
