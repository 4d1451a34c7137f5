import { TargetDirectory } from '../../src/gate/ports/target-directory';
import type { Principal } from '../../src/kernel/principal';
import { describeDataPath } from '../support/describe';
import { startGateway } from '../support/gateway';

const DEFAULTS = { recording: 'on', recording_mode: null, retention_days: null, record_results: false };
const OTHER = {
  recording: 'input-only',
  recording_mode: 'store',
  retention_days: 30,
  record_results: true,
};

/** The recording mode and the retention of the sessions of a connection. */
describeDataPath('the recording settings of a connection', ({ path, begin }) => {
  const other = begin(() => startGateway({ beside: path.gateway }));

  const read = async (name: string) => (await path.gateway.call('admin', 'GET', `/connections/${name}`)).body;
  const settings = async (name: string) => {
    const { recording, recording_mode, retention_days, record_results } = await read(name);
    return { recording, recording_mode, retention_days, record_results };
  };
  const send = (method: 'PUT' | 'PATCH', name: string, body: object) =>
    path.gateway.call('admin', method, `/connections/${name}`, body);
  /** Recording settings of the target, as this gateway sees them when it opens a session. */
  const target = async (name: string, gateway = path.gateway) => {
    const [row] = await gateway.database.query<{ id: string }>('SELECT id FROM organizations');
    const principal = { orgId: row?.id ?? '' } as Principal;
    return (await gateway.app.get(TargetDirectory, { strict: false }).find(principal, name))?.recording;
  };

  it('are by default: everything, in the gateway’s mode, forever', async () => {
    expect(await settings('orders')).toEqual(DEFAULTS);
    expect(await target('orders')).toEqual({
      scope: 'on',
      mode: null,
      retentionDays: null,
      results: false,
    });
  });

  // promises: CONNECTION-12
  it('are set when a connection is made, and replaced; what PUT leaves out gets its default', async () => {
    await path.connect('set', OTHER);
    expect(await settings('set')).toEqual(OTHER);
    const rest = await read('set');
    for (const setting of Object.keys(DEFAULTS)) delete rest[setting];
    expect((await send('PUT', 'set', { ...rest, retention_days: 36_500 })).status).toBe(200);
    expect(await settings('set')).toEqual({ ...DEFAULTS, retention_days: 36_500 });
    const sentBack = await send('PUT', 'set', await read('set'));
    expect([sentBack.status, sentBack.body.retention_days]).toEqual([200, 36_500]);
    expect((await send('PUT', 'set', { ...rest, ...DEFAULTS })).status).toBe(200);
    expect(await settings('set')).toEqual(DEFAULTS);
  });

  it('are patched one by one; null is a value of mode and retention, and the gate sees it everywhere', async () => {
    await path.connect('patched', OTHER);
    await send('PATCH', 'patched', { description: 'left alone' });
    expect(await settings('patched')).toEqual(OTHER);
    await send('PATCH', 'patched', { recording_mode: 'journal+fsync' });
    expect((await send('PATCH', 'patched', { recording: null })).status).toBe(400);
    expect(await settings('patched')).toEqual({ ...OTHER, recording_mode: 'journal+fsync' });
    expect(await target('patched', other)).toEqual({
      scope: 'input-only',
      mode: 'journal+fsync',
      retentionDays: 30,
      results: true,
    });
    await send('PATCH', 'patched', { retention_days: null });
    expect(await settings('patched')).toEqual({
      ...OTHER,
      recording_mode: 'journal+fsync',
      retention_days: null,
    });
    expect((await send('PATCH', 'patched', { record_results: null })).status).toBe(400);
    expect((await settings('patched')).record_results).toBe(true);
    await send('PATCH', 'patched', { record_results: false });
    await send('PATCH', 'patched', { recording_mode: null, recording: 'on' });
    expect(await settings('patched')).toEqual(DEFAULTS);
    expect((await read('patched')).description).toBe('left alone');
  });

  // promises: CONNECTION-12
  it.each([
    [422, { recording: 'off' }],
    [422, { recording: '' }],
    [400, { recording: true }],
    [422, { recording_mode: 'memory' }],
    [422, { recording_mode: '' }],
    [400, { recording_mode: ['store'] }],
    [422, { retention_days: 0 }],
    [422, { retention_days: -1 }],
    [422, { retention_days: 36_501 }],
    [400, { retention_days: 1.5 }],
    [400, { retention_days: '30' }],
    [400, { retention_days: [30] }],
    [400, { record_results: 'true' }],
    [400, { record_results: 1 }],
    [400, { record_retention_days: 30 }],
  ])('answer %i to %j, and stay', async (status, fault) => {
    const before = await read('orders');
    for (const answer of [
      await send('PATCH', 'orders', fault),
      await send('PUT', 'orders', { ...before, ...fault }),
      await path.gateway.call('admin', 'POST', '/connections', { ...before, name: 'faulty', ...fault }),
    ]) {
      expect([answer.status, answer.body.message]).toEqual([
        status,
        expect.stringContaining(Object.keys(fault)[0] ?? ''),
      ]);
    }
    expect(await read('orders')).toEqual(before);
  });

  it('are for admins to change, and for the audit log to remember', async () => {
    await path.connect('watched', OTHER);
    for (const person of ['alice', 'auditor'] as const) {
      const answer = await path.gateway.call(person, 'PATCH', '/connections/watched', DEFAULTS);
      expect([person, answer.status]).toEqual([person, 403]);
    }
    expect(await settings('watched')).toEqual(OTHER);
    await send('PATCH', 'watched', { retention_days: 7, recording: 'on' });
    const { body } = await path.gateway.call(
      'admin',
      'GET',
      '/audit/logs?resource_type=connections&action=update&outcome=success&page_size=1',
    );
    expect(body.data[0].changes).toEqual([
      { field: 'recording', before: 'input-only', after: 'on' },
      { field: 'retention_days', before: 30, after: 7 },
    ]);
  });

  // promises: CONNECTION-12
  it('are copied to each session, and outlive the connection', async () => {
    await path.connect('kept', { retention_days: 90 });
    const run = async () => (await path.run('SELECT 1', { connection: 'kept' })).body.session_id as string;
    const [first, , second] = [
      await run(),
      await send('PATCH', 'kept', { retention_days: null }),
      await run(),
      await path.gateway.call('admin', 'DELETE', '/connections/kept'),
    ];
    const rows = await path.gateway.database.query<{ id: string; days: number | null }>(
      'SELECT id, retention_days AS days FROM sessions WHERE connection_name = $1',
      ['kept'],
    );
    expect(new Map(rows.map(({ id, days }) => [id, days]))).toEqual(
      new Map([
        [first, 90],
        [second, null],
      ]),
    );
  });
});
