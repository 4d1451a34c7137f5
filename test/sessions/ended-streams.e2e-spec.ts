import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { EventPiece } from '../../src/sessions/format/event-codec';
import { Connections } from '../../src/process/shutdown';
import { describeReviewPath } from '../support/describe';
import { eventually } from '../support/eventually';
import { type Listed, sampleSessions, storeSessions } from '../support/listed-sessions';
import { storeChunk } from '../support/live';
import { type RawEnd, RawReading, dataOf } from '../support/raw-reading';
import { IS_LONG } from '../support/volume';

/** Content that does not fit into the buffers of the two sockets of a stream whose client does not read. */
const LARGE = Buffer.alloc(6 * 1024 * 1024, 'x');
/** Number of bytes after which a reader stops: never, at once, or within the large event. */
const PLACES = [Infinity, 1, 200_000, ...(IS_LONG ? [1_000, 50_000, 1_000_000, 3_000_000] : [])];

interface Following {
  readonly kind: 'a session' | 'reviews';
  readonly place: number;
  readonly answer: RawReading;
}

/** Readers of live streams, some of which have stopped reading, and the events that end their streams. */
describeReviewPath('streams that are followed', { people: {} }, ({ path }) => {
  let orgId: string;
  let connection: string;
  let doomed: Connections;

  beforeAll(async () => {
    doomed = new Connections(path.gateway.app.getHttpServer());
    const [org] = await path.sql<{ id: string }>('SELECT id FROM organizations');
    orgId = org?.id ?? '';
    connection = await path.reviewed();
  });

  const piece = (content: Buffer): EventPiece => ({ time: 5, type: 'o', content, ends: true });

  /** Stores a running session to which only this test adds events. */
  const running = async (): Promise<string> => {
    const [sample] = sampleSessions(1) as [Listed];
    const id = randomUUID();
    const own = {
      id,
      status: 'open',
      verb: 'exec',
      subject: 'alice',
      email: 'alice@example.com',
      review: null,
    };
    await storeSessions(path.gateway.database, orgId, [{ ...sample, ...own } as Listed]);
    return id;
  };

  /**
   * Opens a reader of the session and a reader of the reviews for each of `PLACES`. Then adds a small and a
   * large event to the session, and a review.
   */
  const followed = async (id: string): Promise<Following[]> => {
    const headers = { authorization: `Bearer ${await path.gateway.token('alice')}` };
    const at = { 'a session': `/sessions/${id}/stream`, reviews: '/reviews/stream?seconds=60' } as const;
    const following = PLACES.flatMap((place) =>
      (Object.keys(at) as (keyof typeof at)[]).map((kind) => {
        const stopsAfter = kind === 'reviews' && place > 1_000 ? Infinity : place;
        return { kind, place, answer: RawReading.open(path.gateway.api + at[kind], { headers }, stopsAfter) };
      }),
    );
    for (const { answer } of following)
      await eventually('the stream is there', async () => answer.text.includes('event-stream'));
    await storeChunk(path.gateway.database, id, [piece(Buffer.from('small'))]);
    await storeChunk(path.gateway.database, id, [piece(LARGE)]);
    const review = await path.ask(connection);
    for (const { kind, place, answer } of following)
      await eventually('all is on its way', async () =>
        kind === 'reviews'
          ? place === 1 || answer.text.includes(review.id)
          : answer.bytes >= place || place > 1e9,
      );
    const [whole] = following;
    await eventually('the large one is heard', async () => (whole?.answer.bytes ?? 0) > LARGE.length);
    return following;
  };

  /** Expects whole events in order, and an `end` only after all of them. */
  function expectWholeEvents(end: RawEnd, kind: Following['kind']): void {
    expect([end.status, end.type]).toEqual([200, 'text/event-stream']);
    const data = dataOf(end);
    if (kind === 'reviews') {
      for (const one of data) expect(Object.keys(one as object)).toEqual(['id', 'session_id', 'status']);
      return;
    }
    const contents = data
      .filter((one) => Array.isArray(one))
      .map((one) => Buffer.from(one[2] as string, 'base64'));
    const sent = [Buffer.from('small'), LARGE];
    expect(contents.length).toBeLessThanOrEqual(sent.length);
    expect(contents.every((content, at) => content.equals(sent[at] as Buffer))).toBe(true);
    const isEnded = end.body.includes('event: end');
    if (isEnded) expect([contents.length, data.length]).toEqual([sent.length, sent.length + 1]);
  }

  const ENDINGS: Readonly<Record<string, (id: string) => Promise<unknown>>> = {
    'the session ends': (id) =>
      path.sql(`UPDATE sessions SET status = 'done', end_date = now(), exit_code = 0 WHERE id = $1`, [id]),
    'the recording is removed': (id) =>
      path.sql(
        `UPDATE sessions SET status = 'done', end_date = now(), exit_code = 0, script = NULL, recording_purged_at = now()
         WHERE id = $1`,
        [id],
      ),
    'their reader may not act any more': () => path.setStatus('alice', 'inactive'),
    // This case is the last one, because the gateway accepts no connections afterwards.
    'the gateway stops': async () => {
      doomed.drain(500);
      void path.gateway.app.close();
      await pause(800);
    },
  };

  // promises: STREAM-1, STREAM-2, READ-20
  it.each(Object.keys(ENDINGS))('have whole events, or break off, when %s', async (ending) => {
    const id = await running();
    const following = await followed(id);
    try {
      await ENDINGS[ending]?.(id);
      const isOver = /reader|stops/.test(ending);
      for (const { kind, place, answer } of following) {
        // The end of the session does not end streams of reviews.
        if (kind === 'reviews' && !isOver) continue;
        if (place === Infinity) {
          const end = await answer.ended;
          expect([kind, end.isWhole]).toEqual([kind, ending !== 'the recording is removed']);
          expectWholeEvents(end, kind);
          if (kind === 'a session')
            expect(end.body.includes('event: end')).toBe(ending === 'the session ends');
        }
      }
      for (const { kind, place, answer } of following) {
        if (place === Infinity || (kind === 'reviews' && !isOver)) continue;
        answer.readOn();
        const end = await answer.ended;
        expectWholeEvents(end, kind);
        // Even a slow reader gets all events of a session that ended.
        if (ending === 'the session ends') expect([place, end.isWhole]).toEqual([place, true]);
      }
    } finally {
      for (const { answer } of following) answer.leave();
      await path.setStatus('alice', 'active');
    }
  });
});
