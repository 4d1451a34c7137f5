import { CatalogService } from '../../src/connections/catalog/catalog.service';
import { checkCatalog } from '../../src/connections/catalog/catalog-entry';
import data from '../../src/connections/catalog/mcp-catalog.json';
import { SCHEMA_VERSION } from '../../src/platform/database/schema/schema-version';
import { describeGateway } from '../support/describe';

/** Routes with information about the gateway itself, which every signed-in user may read. */
describeGateway('GET /mcp-catalog', ({ gateway }) => {
  // promises: CATALOG-6
  it('answers all entries as an array, sorted by name', async () => {
    const { status, body } = await gateway.call('alice', 'GET', '/mcp-catalog');
    expect([status, body]).toEqual([200, checkCatalog(data)]);
    expect(body.length).toBeGreaterThan(10);
  });

  // promises: SERVICE-4
  it('has what a connection to a server of each kind needs', async () => {
    const { body } = await gateway.call('admin', 'GET', '/mcp-catalog');
    const kinds = new Map(
      (body as Record<string, string>[]).map((entry) => [`${entry['transport']} ${entry['auth']}`, entry]),
    );
    expect(kinds.size).toBeGreaterThan(2);
    for (const { name, url, transport, auth } of kinds.values()) {
      const made = await gateway.call('admin', 'POST', '/connections', {
        name: `mcp-${name?.replaceAll(/\W+/g, '_')}`,
        type: 'application',
        subtype: 'mcpproxy',
        secret: { REMOTE_URL: url, MCP_TRANSPORT: transport, MCP_AUTH: auth },
      });
      expect([name, made.status, made.body.message]).toEqual([name, 201, undefined]);
    }
  });

  // promises: CATALOG-7
  it('answers an internal failure with 500 and the error body', async () => {
    const broken = jest.replaceProperty(gateway.app.get(CatalogService), 'etag', 'no\nheader');
    // Sends a conditional request, because a plain GET may be answered from memory.
    const headers = { 'if-none-match': '"other"' };
    const answer = await gateway.call('alice', 'GET', '/mcp-catalog', undefined, headers);
    broken.restore();
    expect([answer.status, answer.body]).toEqual([500, { message: 'internal error' }]);
  });

  // promises: SERVER-2
  it('stands beside GET /serverinfo, which answers the current configuration', async () => {
    await gateway.call('admin', 'PATCH', '/organization', { features: { review: false } });
    const { status, body } = await gateway.call('alice', 'GET', '/serverinfo');
    expect([status, body]).toEqual([
      200,
      {
        auth_method: 'oidc',
        api_url: gateway.api,
        version: '1.180.0',
        program_version: '0.1.0',
        schema_version: SCHEMA_VERSION,
        database_schema_version: SCHEMA_VERSION,
        idp_issuer: gateway.provider.issuer,
        admin_group: 'admin',
        auditor_group: 'auditor',
        features: { access_control: expect.any(Boolean), review: false },
      },
    ]);
  });

  // promises: SESSION-11
  it('a session shows type, subtype, tags and resource of its connection', async () => {
    const connection = {
      name: 'described',
      type: 'application',
      subtype: 'mcpproxy',
      secret: { REMOTE_URL: 'https://mcp.example.com/' },
      connection_tags: { environment: 'test' },
      resource_name: 'files',
    };
    expect((await gateway.call('admin', 'POST', '/connections', connection)).status).toBe(201);
    const run = await gateway.call('admin', 'POST', '/sessions', { connection: 'described', script: 'x' });
    expect((await gateway.call('admin', 'GET', `/sessions/${run.body.session_id}`)).body).toMatchObject({
      type: 'application',
      connection_subtype: 'mcpproxy',
      connection_tags: { environment: 'test' },
      resource_name: 'files',
    });
  });
});
