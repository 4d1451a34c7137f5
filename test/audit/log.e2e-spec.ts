import { describeGateway } from '../support/describe';
import { eventually } from '../support/eventually';

describeGateway('the audit log', ({ gateway }) => {
  const logs = async (query: string) => (await gateway.call('admin', 'GET', `/audit/logs${query}`)).body;

  // promises: AUDIT-1
  it('has a line for a change, with what changed', async () => {
    const created = await gateway.call('admin', 'POST', '/attributes', { name: 'pii', description: 'one' });
    expect(created.status).toBe(201);
    await gateway.call('admin', 'PUT', '/attributes/pii', { description: 'two' });
    const { data, pages } = await logs('?resource_type=attributes');
    expect(pages.total).toBe(2);
    expect(data[0]).toMatchObject({
      actor: { id: 'admin', email: 'admin@example.com', type: 'user' },
      action: 'update',
      resource_type: 'attributes',
      resource_id: 'pii',
      outcome: 'success',
      status: 200,
      client_address: '127.0.0.1',
      changes: [{ field: 'description', before: 'one', after: 'two' }],
    });
  });

  it('has a line for a refused change too', async () => {
    const refused = await gateway.call(
      'alice',
      'POST',
      '/attributes',
      { name: 'x' },
      { 'x-request-id': 'refused-1' },
    );
    expect(refused.status).toBe(403);
    const { data } = await eventually('the line of the refused request', async () => {
      const page = await logs('?request_id=refused-1');
      return page.data.length === 1 && page;
    });
    expect(data[0]).toMatchObject({
      outcome: 'denied',
      status: 403,
      action: 'create',
      resource_type: 'attributes',
      actor: { id: 'alice' },
    });
  });

  // promises: AUDIT-4
  it('verifies, and notices a change made behind its back', async () => {
    expect((await gateway.call('admin', 'GET', '/audit/verify')).body).toMatchObject({
      valid: true,
      broken_at: null,
    });
    await expect(gateway.database.query(`UPDATE audit_log SET actor_id = 'x'`)).rejects.toThrow(
      'append-only',
    );
    await expect(gateway.database.query('DELETE FROM audit_log')).rejects.toThrow('append-only');
    await gateway.database.query(`ALTER TABLE audit_log DISABLE TRIGGER audit_log_append_only`);
    await gateway.database.query(`UPDATE audit_log SET actor_id = 'x' WHERE seq = 2`);
    expect((await gateway.call('admin', 'GET', '/audit/verify')).body).toMatchObject({
      valid: false,
      broken_at: 2,
    });
  });
});
