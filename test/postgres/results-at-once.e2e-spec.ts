import { createHash } from 'node:crypto';
import { describeGuardedPath } from '../support/describe';
import { entries } from '../support/guarded-path';
import type { WireClient } from '../support/wire-client';
import * as wire from '../support/wire-messages';

const ROWS = 60_000;
/** E-mail address in every hundredth row, and its masked form. */
const ADDRESS = 'owner@example.com';
const MASKED = '****.com';
const READ_MS = 4;

/**
 * Sessions share the memory into which results are read. No byte of one session may reach another session,
 * and no byte may be lost.
 */
describeGuardedPath('long results of several sessions at once', ({ path }) => {
  const mask = {
    output: entries({ type: 'detector', detectors: ['email'], action: 'mask', keep_last: 4 }),
  };
  const selected = (of: string): string =>
    `SELECT n, repeat('${of}', 100) AS a, CASE WHEN n % 100 = 0 THEN '${ADDRESS}' ELSE '-' END AS b FROM generate_series(1, ${ROWS}) AS n`;

  /** Reads the result with pauses, so that data have to wait in the gateway. */
  const readSlowly = async (client: WireClient, asked: readonly Buffer[]): Promise<string> => {
    const { socket } = client;
    const pauses = setInterval(() => {
      socket.pause();
      setTimeout(() => socket.resume(), READ_MS).unref();
    }, 2 * READ_MS);
    const hash = createHash('sha256');
    try {
      const answers = await client.send(...asked).until('Z');
      for (const { type, body } of answers) if (/[DdcCZE]/.test(type)) hash.update(type).update(body);
    } finally {
      clearInterval(pauses);
      socket.resume();
    }
    return hash.digest('hex');
  };
  const expected = (of: string, address: string, form: 'rows' | 'copy'): string => {
    const hash = createHash('sha256');
    const cell = of.repeat(100);
    for (let n = 1; n <= ROWS; n += 1) {
      const cells = [String(n), cell, n % 100 === 0 ? address : '-'];
      if (form === 'copy') hash.update('d').update(`${cells.join('\t')}\n`);
      else {
        hash.update('D').update(Buffer.from([0, cells.length]));
        for (const text of cells) hash.update(Buffer.from([0, 0, 0, text.length])).update(text);
      }
    }
    if (form === 'copy') hash.update('c');
    return hash
      .update('C')
      .update(`${form === 'copy' ? 'COPY' : 'SELECT'} ${ROWS}\0`)
      .update('ZI')
      .digest('hex');
  };

  it.each([1, 2])('are exact, masked or not, SELECT or COPY (round %d)', async () => {
    const sessions = [
      { of: 'a', rules: mask, more: {}, shown: MASKED },
      { of: 'b', rules: {}, more: {}, shown: ADDRESS },
      { of: 'c', rules: {}, more: { record_results: true }, shown: ADDRESS },
    ];
    const results = await Promise.all(
      sessions.flatMap(({ of, rules, more, shown }) =>
        (['rows', 'copy'] as const).map(async (form) => {
          const { client } = await path.under(rules, more);
          const sql = selected(of);
          const parts =
            form === 'copy'
              ? [wire.query(`COPY (${sql}) TO STDOUT`)]
              : [wire.parse(sql), wire.bind([]), wire.execute(), wire.SYNC];
          return { form, of, shown, read: await readSlowly(client, parts) };
        }),
      ),
    );
    for (const { form, of, shown, read } of results)
      expect(`${of} ${form} ${read}`).toBe(`${of} ${form} ${expected(of, shown, form)}`);
  });
});
