import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { verifyFile } from '../../src/sessions/evidence/files/verify-file';
import { describeDataPath } from '../support/describe';
import { publicKeysOf, read, sealsOf } from '../support/evidence';

const KEY = randomBytes(32);
const environment = { SECRET_KEY: KEY.toString('base64') };
/** Matches statements that read a session or its entries. */
const READS = /\bSELECT\b[^]*\b(?:sessions|session_ledger)\b/i;

/** A session may change at any moment of a download; the file shows one state of it. */
describeDataPath('a file of evidence of a session that changes', { environment }, ({ path }) => {
  /** Runs `change` before read number `place` of `work`. Returns whether there was such a read. */
  const changingBefore = async (
    place: number,
    change: () => Promise<unknown>,
    work: () => Promise<unknown>,
  ) => {
    let reads = 0;
    let changed: Promise<unknown> | undefined;
    const query = Reflect.get(Client.prototype, 'query') as (...given: unknown[]) => unknown;
    const watched = jest.spyOn(Client.prototype, 'query') as unknown as jest.SpyInstance;
    watched.mockImplementation(function (this: Client, ...given: unknown[]) {
      const [text] = given;
      // Once the change runs, its own statements pass.
      const isRead = changed === undefined && typeof text === 'string' && READS.test(text);
      if (!isRead || typeof given.at(-1) === 'function' || reads++ < place) return query.apply(this, given);
      changed = change();
      return changed.then(() => query.apply(this, given));
    });
    try {
      await work();
      await changed;
      return changed !== undefined;
    } finally {
      watched.mockRestore();
    }
  };

  const changes = {
    metadata: (id: string, place: number) =>
      path.gateway.call('admin', 'PATCH', `/sessions/${id}/metadata`, { metadata: { place } }),
    hold: (id: string, place: number) =>
      path.gateway.call('admin', 'PUT', `/sessions/${id}/hold`, { held: true, reason: `case ${place}` }),
  };

  // promises: VERIFY-5
  it.each(['metadata', 'hold'] as const)('verifies, whenever its %s changes', async (what) => {
    const { session_id: id } = (await path.run('SELECT 1')).body;
    // The first entries of the session are written before, so that a change has an entry at once.
    expect((await path.gateway.call('admin', 'GET', `/sessions/${id}/verify`)).body.status).toBe('valid');
    let place = 0;
    for (let isChanged = true; isChanged; place++) {
      const change = async () => expect((await changes[what](id, place)).status).toBeLessThan(300);
      let file = '';
      isChanged = await changingBefore(place, change, async () => {
        file = (await path.read(id, '?extension=evidence')).text;
      });
      const { faults } = await verifyFile(read(Buffer.from(file)), {
        seals: sealsOf(KEY),
        keys: publicKeysOf(KEY),
      });
      expect([place, faults]).toEqual([place, []]);
      const { session, ledger } = JSON.parse(file.split('\n', 1)[0] as string);
      expect([session.metadata, session.hold?.reason ?? null]).toEqual([
        ledger.row.metadata,
        ledger.row.hold_reason,
      ]);
    }
    expect(place).toBeGreaterThan(3);
  });
});
