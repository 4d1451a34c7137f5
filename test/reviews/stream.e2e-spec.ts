import { getRepositoryToken } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { Review } from '../../src/approvals/reviews/machine/review.entity';
import { describeReviewPath } from '../support/describe';
import { eventually } from '../support/eventually';
import { cutFeeds, keepFeedDown } from '../support/feed';
import { type TestGateway, passwordToken, startGateway } from '../support/gateway';
import { type Reader, listenAt } from '../support/live';

const PEOPLE = { eve: ['sales'], max: ['management'] };
const SECONDS = 60;

/** Whether a query reads reviews for a stream. Only streams select `personBehind`; lists and pages do not. */
const isRead = (select: object | undefined): boolean => select !== undefined && 'personBehind' in select;

/** GET /reviews/stream */
describeReviewPath('reviews that are followed', { people: PEOPLE }, ({ path, begin }) => {
  const other = begin(() => startGateway({ beside: path.gateway }));
  const readers: Reader[] = [];

  const follow = async (name: string, on: TestGateway = path.gateway, seconds = SECONDS): Promise<Reader> => {
    const bearer = await passwordToken(path.gateway.provider.issuer, name);
    const reader = await listenAt(on, { bearer }, `/reviews/stream?seconds=${seconds}`);
    readers.push(reader);
    return reader;
  };
  const told = ({ messages }: Reader, id: string): string[] =>
    messages.filter(({ data }) => data.id === id).map(({ data }) => data.status as string);
  const hears = (reader: Reader, id: string, status: string) =>
    eventually(`${status} of ${id} is told`, async () => told(reader, id).includes(status));

  afterEach(async () => {
    for (const reader of readers) reader.leave();
    await Promise.all(readers.map(({ over }) => over));
    readers.length = 0;
  });

  // promises: REVIEW-22
  it('are told to those who may see them, at whichever gateway, and to nobody else', async () => {
    const connection = await path.reviewed({ force_approval_groups: ['management'] });
    const names = ['alice', 'bob', 'max', 'admin', 'auditor'];
    const seeing = await Promise.all(names.flatMap((name) => [follow(name), follow(name, other)]));
    const eve = await follow('eve', other);
    expect([eve.response.status, Object.fromEntries(eve.response.headers)]).toEqual([
      200,
      expect.objectContaining({
        'content-type': 'text/event-stream',
        'cache-control': 'no-store, no-transform',
        'x-accel-buffering': 'no',
      }),
    ]);
    const { id, sessionId } = await path.ask(connection);
    for (const reader of seeing) await hears(reader, id, 'PENDING');
    await path.say('bob', id, { status: 'APPROVED' });
    for (const reader of seeing) await hears(reader, id, 'APPROVED');
    await path.by('alice', 'POST', `/sessions/${sessionId}/exec`, {});
    for (const reader of seeing) await hears(reader, id, 'EXECUTED');
    expect(seeing[0]?.messages[0]?.data).toEqual({ id, session_id: sessionId, status: 'PENDING' });
    // Eve may not see the earlier requests. If her stream sent them, they would arrive before her own
    // request.
    const own = await path.ask(connection, 'eve');
    await hears(eve, own.id, 'PENDING');
    expect(told(eve, id)).toEqual([]);
  });

  it('are told after a vote that decides nothing yet', async () => {
    const connection = await path.reviewed({ reviewers_groups: ['dba', 'management'], min_approvals: 2 });
    const { id } = await path.ask(connection);
    const alice = await follow('alice');
    await path.say('bob', id, { status: 'APPROVED' });
    await hears(alice, id, 'PENDING');
    await path.say('max', id, { status: 'APPROVED' });
    await hears(alice, id, 'APPROVED');
  });

  it('are read once for all readers, and not while nothing changes', async () => {
    const connection = await path.reviewed();
    const reviews = path.gateway.app.get<Repository<Review>>(getRepositoryToken(Review), { strict: false });
    const find = jest.spyOn(reviews, 'find');
    const reads = (): number => find.mock.calls.filter(([options]) => isRead(options?.select)).length;
    const all = await Promise.all(
      ['alice', 'bob', 'admin', 'auditor'].flatMap((name) => Array.from({ length: 10 }, () => follow(name))),
    );
    const { id } = await path.ask(connection);
    for (const reader of all) await hears(reader, id, 'PENDING');
    const before = reads();
    await path.say('bob', id, { status: 'REJECTED' });
    for (const reader of all) await hears(reader, id, 'REJECTED');
    // The review and its group change in one transaction, so one read suffices. A slow machine may need two.
    expect(reads() - before).toBeLessThanOrEqual(2);
    find.mockRestore();
    // Alice already has the maximum number of streams at this gateway, so the next one is refused.
    const { response } = await follow('alice');
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '10']);
    expect((await follow('alice', other)).response.status).toBe(200);
  });

  it('are told until the time is over, or the reader may not act', async () => {
    const short = await follow('bob', path.gateway, 1);
    expect(await short.over).toBe('ended');
    const bob = await follow('bob');
    await path.setStatus('bob', 'inactive');
    expect(await bob.over).toBe('ended');
    await path.setStatus('bob', 'active');
    expect((await follow('bob', path.gateway, 0)).response.status).toBe(400);
    expect((await follow('bob', path.gateway, 901)).response.status).toBe(400);
  });

  // promises: REVIEW-22
  it('are waited for on a stream that says that it is there', async () => {
    const { text } = await path.by('bob', 'GET', '/reviews/stream?seconds=7');
    expect(text).toContain('\n: nothing new\n');
  });

  // promises: REVIEW-22
  it('are followed anew where changes may have been missed', async () => {
    const alice = await follow('alice');
    await cutFeeds(path.gateway);
    expect(await alice.over).toBe('ended');
    await eventually('the gateway hears of changes again', async () => {
      const { response } = await follow('alice');
      return response.status === 200;
    });
    const release = await keepFeedDown(path.gateway);
    const { response } = await follow('alice');
    await release();
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
  });
});
