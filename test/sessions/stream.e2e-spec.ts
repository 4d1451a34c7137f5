import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { type Socket, connect } from 'node:net';
import { getRepositoryToken } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import type { EventPiece } from '../../src/sessions/format/event-codec';
import { SessionRow } from '../../src/sessions/recording/session.entity';
import { describeDataPath } from '../support/describe';
import { eventually } from '../support/eventually';
import { type Person, startGateway } from '../support/gateway';
import { closedLatch } from '../support/latch';
import { type Listed, sampleSessions, storeSessions } from '../support/listed-sessions';
import { type Reader, listen, storeChunk, toldBy } from '../support/live';

const NOBODY = '00000000-0000-4000-8000-000000000000';

/** GET /sessions/{session_id}/stream */
describeDataPath('a session that is followed', ({ path, begin }) => {
  const other = begin(() => startGateway({ beside: path.gateway }));
  let orgId: string;
  let count = 0;

  beforeAll(async () => {
    const [org] = await path.gateway.database.query<{ id: string }>('SELECT id FROM organizations');
    orgId = org?.id ?? '';
    await Promise.all(
      (['auditor', 'alice', 'bob'] as const).map((it) => path.gateway.call(it, 'GET', '/userinfo')),
    );
  });

  const piece = (text: string, more: Partial<EventPiece> = {}): EventPiece => ({
    time: 5,
    type: 'o',
    content: Buffer.from(text),
    ends: true,
    ...more,
  });
  const add = (id: string, ...pieces: EventPiece[]) => storeChunk(path.gateway.database, id, pieces);
  const end = (id: string) =>
    path.gateway.database.query(
      `UPDATE sessions SET status = 'done', end_date = now(), exit_code = 0 WHERE id = $1`,
      [id],
    );
  const heard = (reader: Reader, text: string) =>
    eventually(`${text} is heard`, async () =>
      toldBy(reader.messages).some(([, said]) => said.includes(text)),
    );

  /** Stores a session to which only this test adds events. */
  const stored = async (more: Partial<Listed> = {}): Promise<string> => {
    const [sample] = sampleSessions(1) as [Listed];
    const id = randomUUID();
    const session: Listed = {
      ...sample,
      id,
      status: 'open',
      verb: 'exec',
      subject: 'alice',
      email: 'alice@example.com',
      review: null,
      ...more,
    };
    await storeSessions(path.gateway.database, orgId, [session]);
    return id;
  };

  // promises: STREAM-1
  it('is replayed from its start when it is over, then its end', async () => {
    const script = `SELECT 'caf\u00e9' AS said; SELECT nothing`;
    const { body } = await path.run(script, {}, 'alice');
    const reader = await listen(path.gateway, 'alice', body.session_id);
    expect(reader.response.status).toBe(200);
    expect(Object.fromEntries(reader.response.headers)).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.any(String),
    });
    expect(await reader.over).toBe('ended');
    const whole = (await path.read(body.session_id, '?expand=event_stream')).body;
    expect(reader.messages.slice(0, -1).map(({ data }) => data)).toEqual(whole.event_stream);
    expect(reader.messages.at(-1)).toEqual({
      id: 'end',
      event: 'end',
      data: { status: 'done', exit_code: whole.exit_code, end_date: whole.end_date },
    });
    expect(toldBy(reader.messages)[0]).toEqual(['i', script]);
  });

  // promises: STREAM-1
  it('is streamed while it runs, on any gateway', async () => {
    const mark = `follow_${++count}`;
    const latch = await closedLatch(path.target);
    const script = `SELECT 'before'; SELECT ${latch.wait} AS ${mark}; SELECT 'after'`;
    const answer = path.gateway.call('alice', 'POST', '/sessions', { connection: 'orders', script });
    await path.untilRunning(new RegExp(mark));
    const { id } = await path.sessionOf(script);
    const readers = await Promise.all([
      listen(path.gateway, 'alice', id),
      listen(other, 'admin', id),
      listen(other, 'auditor', id),
    ]);
    for (const reader of readers) await heard(reader, script);
    expect((await path.read(id)).body.status).toBe('open');
    await latch.open();
    expect((await answer).body.output_status).toBe('success');
    for (const reader of readers) {
      expect(await reader.over).toBe('ended');
      expect(toldBy(reader.messages)).toEqual(await path.recording(id));
      expect(toldBy(reader.messages).flat().join()).toContain('after');
      expect(reader.messages.at(-1)).toMatchObject({ event: 'end', data: { status: 'done', exit_code: 0 } });
    }
  });

  // promises: STREAM-1
  it('continues after the reader’s last message, also on another gateway', async () => {
    const id = await stored();
    await add(id, piece('one', { type: 'i' }), piece('two'));
    await add(id, piece('three'));
    const first = await listen(path.gateway, 'alice', id);
    await heard(first, 'three');
    first.leave();
    expect(first.messages.map((message) => message.id)).toEqual(['1.0', '1.1', '2.0']);
    const later = await listen(other, 'alice', id, '1.0');
    await heard(later, 'three');
    await add(id, piece('four', { type: 'e' }));
    await heard(later, 'four');
    await end(id);
    expect(await later.over).toBe('ended');
    expect(toldBy(later.messages)).toEqual([
      ['o', 'two'],
      ['o', 'three'],
      ['e', 'four'],
    ]);
    // A reader that reconnects after the last event still gets the `end`.
    const last = await listen(path.gateway, 'alice', id, '3.0');
    expect(await last.over).toBe('ended');
    expect(last.messages.map(({ event }) => event)).toEqual(['end']);
    const beyond = await listen(path.gateway, 'alice', id, '999999999.999999999');
    expect(await beyond.over).toBe('ended');
    expect(beyond.messages.map(({ event }) => event)).toEqual(['end']);
  });

  // promises: STREAM-1
  it('answers 204 to readers who know its end', async () => {
    const id = await stored();
    await end(id);
    const { status, headers, text } = await path.gateway.call(
      'alice',
      'GET',
      `/sessions/${id}/stream`,
      undefined,
      {
        'last-event-id': 'end',
      },
    );
    expect([status, text, headers.get('content-type')]).toEqual([204, '', null]);
  });

  it('sends a large event in pieces', async () => {
    const id = await stored();
    const parts = Array.from({ length: 6 }, (_, n) => `${n}`.repeat(200_000));
    await add(id, piece('before'));
    for (const [n, part] of parts.entries()) await add(id, piece(part, { time: 7, ends: n === 5 }));
    await end(id);
    const reader = await listen(path.gateway, 'alice', id);
    await reader.over;
    expect(reader.messages.map(({ data }) => data[3])).toEqual([
      undefined,
      true,
      true,
      true,
      true,
      true,
      undefined,
      undefined,
    ]);
    expect(toldBy(reader.messages)).toEqual([
      ['o', 'before'],
      ['o', parts.join('')],
    ]);
  });

  it('may contain anything without breaking the framing', async () => {
    const id = await stored();
    const hostile = 'x\n\nid: 9.9\nevent: end\ndata: {}\n\n\r\r\u2028\0\u001b[2J';
    await add(id, piece(hostile), { ...piece(''), content: Buffer.from([0xff, 0xfe, 0]) });
    await end(id);
    const reader = await listen(path.gateway, 'alice', id);
    await reader.over;
    expect(toldBy(reader.messages)[0]).toEqual(['o', hostile]);
    expect(reader.messages.map((message) => message.id)).toEqual(['1.0', '1.1', 'end']);
  });

  it('is for those who may read the recording, and unknown to strangers', async () => {
    const groups = [{ name: 'dba', status: 'PENDING', by: null }];
    const review = { status: 'PENDING', groups, grant: null };
    const own = await stored();
    const reviewed = await stored({ review });
    const machines = await stored({ machine: true });
    const nothing = { message: 'there is no session with this id' };
    for (const [person, id, status, body] of [
      ['bob', own, 404, nothing],
      ['alice', machines, 404, nothing],
      ['bob', reviewed, 403, { message: 'reviewers see the request, not the recording' }],
      ['admin', NOBODY, 404, nothing],
      ['admin', 'not-a-uuid', 400, { message: 'session_id must be a UUID' }],
      [null, own, 401, expect.anything()],
    ] as const) {
      const answer = await path.gateway.call(person, 'GET', `/sessions/${id}/stream`);
      expect([person, answer.status, answer.body]).toEqual([person, status, body]);
    }
    for (const lastEventId of ['end', '1.0']) {
      const { status } = await path.gateway.call('bob', 'GET', `/sessions/${own}/stream`, undefined, {
        'last-event-id': lastEventId,
      });
      expect(status).toBe(404);
    }
  });

  it.each(['1', '0.0', 'x', '1.0; DROP TABLE sessions', '-1.-1', '1.0,1.1'])(
    'refuses the last id %j',
    async (lastEventId) => {
      const id = await stored();
      const answer = await path.gateway.call('alice', 'GET', `/sessions/${id}/stream`, undefined, {
        'last-event-id': lastEventId,
      });
      expect([answer.status, answer.body]).toEqual([
        400,
        { message: 'Last-Event-ID must be the id of a message of this stream' },
      ]);
    },
  );

  /** Readers whose access the test revokes. Events that are recorded after that must not arrive. */
  const takenAway: [
    string,
    () => Promise<{ reader: (id: string) => Promise<Reader>; take(): Promise<unknown> }>,
  ][] = [
    [
      'a user who is set inactive',
      async () => ({
        reader: (id) => listen(other, 'alice', id),
        take: () => path.setStatus('alice', 'inactive'),
      }),
    ],
    [
      'an auditor who is none any more',
      async () => ({
        reader: (id) => listen(other, 'auditor', id),
        take: () =>
          path.gateway.database.query(
            `DELETE FROM user_groups WHERE user_id = (SELECT id FROM users WHERE subject = 'auditor')`,
          ),
      }),
    ],
    [
      'a key that is revoked',
      async () => {
        const made = await path.gateway.call('admin', 'POST', '/api-keys', {
          name: `reader-${++count}`,
          groups: ['auditor'],
        });
        const { id: keyId, key } = made.body as { id: string; key: string };
        return {
          reader: (id) => listen(other, { bearer: key }, id),
          take: () => path.gateway.call('admin', 'DELETE', `/api-keys/${keyId}`),
        };
      },
    ],
  ];

  // promises: STREAM-2
  it.each(takenAway)('is cut off from %s', async (_, prepare) => {
    const id = await stored();
    await add(id, piece('allowed'));
    const access = await prepare();
    const reader = await access.reader(id);
    await heard(reader, 'allowed');
    await access.take();
    const cut = await eventually('it is over', async () => {
      const state = await Promise.race([reader.over, new Promise<false>((no) => setTimeout(no, 10, false))]);
      return state;
    });
    await add(id, piece('secret'));
    await end(id);
    await path.setStatus('alice', 'active');
    expect(cut).toBe('ended');
    expect(toldBy(reader.messages)).toEqual([['o', 'allowed']]);
    expect(reader.messages.some(({ event }) => event === 'end')).toBe(false);
  });

  it('is closed also for a reader that reads nothing', async () => {
    const id = await stored({ subject: 'bob' });
    const pieces = [120, 121, 120, 121, 120].map((byte) =>
      piece(Buffer.alloc(180_000, byte).toString('latin1')),
    );
    for (let n = 0; n < 24; n++) await add(id, ...pieces);
    const server: Server = other.app.getHttpServer();
    const accepted = once(server, 'connection') as Promise<[Socket]>;
    const socket = connect(Number(new URL(other.api).port), '127.0.0.1');
    const [ofGateway] = await accepted;
    const token = await other.token('bob');
    socket.write(
      `GET /api/sessions/${id}/stream HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n`,
    );
    await once(socket, 'readable');
    // From here on, the reader reads nothing until the gateway has cut its stream.
    await path.setStatus('bob', 'inactive');
    await eventually('it is cut', async () => ofGateway.destroyed);
    let bytes = 0;
    socket.on('data', (data) => (bytes += data.length));
    await once(socket, 'close');
    await path.setStatus('bob', 'active');
    // Only the bytes in the network's buffers arrive.
    expect(bytes).toBeLessThan(60 * 180_000);
  });

  it('is not queried any more when its reader has left', async () => {
    const id = await stored();
    const sessions = other.app.get<Repository<SessionRow>>(getRepositoryToken(SessionRow), { strict: false });
    const looks = jest.spyOn(sessions, 'findOne');
    const reader = await listen(other, 'alice', id);
    await eventually('it is asked about', async () => looks.mock.calls.length > 1);
    reader.leave();
    await reader.over;
    await eventually('it is asked about no more', async () => {
      const before = looks.mock.calls.length;
      await new Promise((wait) => setTimeout(wait, 600));
      return looks.mock.calls.length === before;
    });
    looks.mockRestore();
  });

  // promises: STREAM-2
  it('limits the readers of each person, and releases places', async () => {
    const id = await stored();
    const attempt = (person: Person = 'alice') => listen(other, person, id);
    const readers = await Promise.all(Array.from({ length: 10 }, () => attempt()));
    expect(readers.map(({ response }) => response.status)).toEqual(readers.map(() => 200));
    const refused = await other.call('alice', 'GET', `/sessions/${id}/stream`);
    expect([refused.status, refused.body, refused.headers.get('retry-after')]).toEqual([
      429,
      { message: 'you follow 10 sessions already' },
      '5',
    ]);
    const another = await attempt('admin');
    expect(another.response.status).toBe(200);
    readers[0]?.leave();
    const late = await eventually('there is room', async () => {
      const reader = await attempt();
      return reader.response.status === 200 && reader;
    });
    await end(id);
    for (const reader of [...readers.slice(1), another, late]) expect(await reader.over).toBe('ended');
  });

  it('uses no place for HEAD', async () => {
    const id = await stored();
    for (let n = 0; n < 12; n++) {
      const answer = await other.call('alice', 'HEAD', `/sessions/${id}/stream`);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    }
  });

  it('continues after the database connections were cut', async () => {
    const id = await stored();
    await add(id, piece('before'));
    const reader = await listen(other, 'alice', id);
    await heard(reader, 'before');
    await path.gateway.database.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE application_name LIKE 'access-gateway%' AND datname = current_database()`,
    );
    await add(id, piece('after'));
    await heard(reader, 'after');
    await end(id);
    expect(await reader.over).toBe('ended');
    expect(toldBy(reader.messages).map(([, text]) => text)).toEqual(['before', 'after']);
  });

  it('does not keep its gateway from stopping: the reader continues at another one', async () => {
    const third = await startGateway({ beside: path.gateway });
    const id = await stored();
    await add(id, piece('before'));
    const reader = await listen(third, 'alice', id);
    await heard(reader, 'before');
    await third.close();
    expect(await reader.over).toBe('ended');
    const again = await listen(other, 'alice', id, reader.messages.at(-1)?.id);
    await add(id, piece('after'));
    await heard(again, 'after');
    expect(toldBy(again.messages)).toEqual([['o', 'after']]);
    await end(id);
    await again.over;
    expect(again.messages.at(-1)?.event).toBe('end');
  });
});
