import { describeReviewPath } from '../support/describe';
import { approve } from '../support/waiting-scripts';

const SCRIPT = "SELECT current_setting('application_name') AS name";
const OWN = 'access-gateway';

function trace(index: number): string {
  return `00-${String(index).padStart(32, 'a')}-${String(index).padStart(16, 'b')}-01`;
}

describeReviewPath('the trace context of a request', { people: {} }, ({ path, gateway }) => {
  const run = async (traceparent: string | undefined, more: object = {}) => {
    const headers = traceparent === undefined ? undefined : { traceparent };
    const body = { connection: 'orders', script: SCRIPT, ...more };
    const { status, body: view } = await gateway.call('admin', 'POST', '/sessions', body, headers);
    expect([status, view]).toMatchObject([200, { output_status: 'success' }]);
    const { metadata } = (await path.read(view.session_id)).body as { metadata: Record<string, unknown> };
    return { name: String(view.output).split('\n')[1], metadata };
  };

  it('is shown by the target while the script runs, whole, and by the session', async () => {
    const traceparent = trace(1);
    expect(`gateway ${traceparent}`).toHaveLength(63);
    expect(await run(traceparent, { metadata: { ticket: 'OPS-1' } })).toEqual({
      name: `gateway ${traceparent}`,
      metadata: { ticket: 'OPS-1', traceparent },
    });
  });

  it('is that of each script', async () => {
    for (let index = 2; index < 14; index += 1) {
      const traceparent = index % 3 === 0 ? undefined : trace(index);
      const { name, metadata } = await run(traceparent);
      expect([index, name]).toEqual([index, traceparent === undefined ? OWN : `gateway ${traceparent}`]);
      expect(metadata['traceparent']).toBe(traceparent);
    }
  });

  it('is ignored where it is none', async () => {
    for (const traceparent of [
      `${trace(1)}-x`,
      '00-0-0-00',
      `00-${'0'.repeat(32)}-${'b'.repeat(16)}-01`,
      `00-${'a'.repeat(32)}-${'0'.repeat(16)}-01`,
      trace(1).toUpperCase(),
      `01${trace(1).slice(2)}`,
      `00-${"'; DROP TABLE customers; --".padEnd(32, 'a')}-${'b'.repeat(16)}-01`,
      `${trace(1)}, ${trace(2)}`,
    ])
      expect([traceparent, await run(traceparent)]).toEqual([traceparent, { name: OWN, metadata: {} }]);
  });

  it('takes no place in metadata that have all their keys', async () => {
    const metadata = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`key-${index}`, 'x']));
    expect(await run(trace(1), { metadata })).toEqual({ name: `gateway ${trace(1)}`, metadata });
    const known = { ...metadata, traceparent: 'x' } as Record<string, string>;
    delete known['key-0'];
    expect((await run(trace(1), { metadata: known })).metadata['traceparent']).toBe(trace(1));
  });

  it('of an approved script is that of the request that runs it', async () => {
    const connection = await path.reviewed();
    const body = { connection, script: SCRIPT };
    const asked = await gateway.call('alice', 'POST', '/sessions', body, { traceparent: trace(1) });
    expect([asked.status, asked.body.output_status]).toEqual([202, 'waiting']);
    const id = asked.body.session_id as string;
    await approve(gateway, asked.body.review_id as string);
    const ran = await gateway.call('alice', 'POST', `/sessions/${id}/exec`, {}, { traceparent: trace(2) });
    expect(String(ran.body.output)).toContain(`gateway ${trace(2)}`);
    expect((await path.read(id)).body.metadata).toEqual({ traceparent: trace(1) });
  });
});
