import { Authenticator } from '../../src/gate/ports/authenticator';
import { SessionRecorder, type SessionTrail } from '../../src/gate/ports/session-recorder';
import { TargetDirectory } from '../../src/gate/ports/target-directory';
import { describeDataPath } from '../support/describe';

const b64 = (text: string): string => Buffer.from(text).toString('base64');

/** The messages with which a PostgreSQL client prepares a command: its text, then the parameter values. */
describeDataPath('the values of a command', ({ path }) => {
  let id: string;
  const text = 'SELECT * FROM people WHERE name = $1';
  const large = `values of 300 kB: ${'x'.repeat(300_000)}`;

  async function begin(): Promise<SessionTrail> {
    const { app } = path.gateway;
    const bearer = await path.gateway.token('admin');
    const principal = await app.get(Authenticator).identify({ bearer, address: '127.0.0.1' });
    const target = await app.get(TargetDirectory).find(principal, 'orders');
    if (target === undefined) throw new Error('there is no such target');
    return app.get(SessionRecorder).begin({
      principal,
      target,
      verb: 'connect',
      script: null,
      labels: {},
      metadata: {},
      batchId: null,
      credentialId: null,
      until: null,
      correlationId: null,
      reason: null,
    });
  }

  beforeAll(async () => {
    const trail = await begin();
    id = trail.sessionId;
    await trail.append('i', text);
    await trail.appendAll([
      { type: 'i', content: "$1 = 'Ada Oyelaran'", what: 'parameters' },
      { type: 'o', content: Buffer.from('1\tAda Oyelaran\n') },
    ]);
    await trail.append('i', Buffer.from(large), 'parameters');
    await trail.end(0);
  });

  it('are inputs wherever the recording is read', async () => {
    expect(await path.recording(id)).toEqual([
      ['i', text],
      ['i', "$1 = 'Ada Oyelaran'"],
      ['o', '1\tAda Oyelaran\n'],
      ['i', large],
    ]);
    const { body } = await path.read(id, '?event_stream=utf8&events=i');
    expect(body.event_stream).toEqual([`${text}$1 = 'Ada Oyelaran'${large}`]);
  });

  it('are no queries', async () => {
    const { body } = await path.read(id, '?event_stream=raw-queries');
    expect(body.event_stream).toEqual([[expect.any(Number), 'i', b64(text)]]);
    expect(body.event_size).toBe(text.length);
  });

  it('are found by their words', async () => {
    const { body } = await path.gateway.call('admin', 'GET', '/sessions?q=oyelaran');
    expect(body.data.map((session: { id: string }) => session.id)).toEqual([id]);
  });

  it('are part of what is verified', async () => {
    const { body } = await path.gateway.call('admin', 'GET', `/sessions/${id}/verify`);
    expect(body).toMatchObject({ status: 'valid', events: 4, faults: [] });
  });
});
