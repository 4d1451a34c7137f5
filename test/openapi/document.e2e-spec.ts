import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import createClient from 'openapi-fetch';
import { load } from 'js-yaml';
import type { paths } from '../../clients/typescript/src/schema';
import { describeGateway } from '../support/describe';
import { freshTarget, secretOf } from '../support/target';
import { ROOT } from '../support/root';

const FILE = join(ROOT, 'openapi.json');

describeGateway('the API description', ({ gateway }) => {
  const committed = JSON.parse(readFileSync(FILE, 'utf8'));

  it('is what the gateway serves, as JSON and as YAML', async () => {
    expect((await gateway.call(null, 'GET', '/openapi.json')).body).toEqual(committed);
    expect(load((await gateway.call(null, 'GET', '/openapi.yaml')).text)).toEqual(committed);
  });

  // promises: VERSION-1
  it('declares OpenAPI 3.0.3 and version 1.180.0', () => {
    expect(committed).toMatchObject({ openapi: '3.0.3', info: { version: '1.180.0' } });
  });

  it('gives every operation an id, a tag, security, a summary, and the error body for every error', () => {
    const shared = committed.components.responses as Record<string, DescribedResponse>;
    const operations = Object.entries<Record<string, Operation>>(committed.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ name: `${method} ${path}`, ...operation })),
    );
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
    for (const { name, operationId, tags, summary, security, responses } of operations) {
      expect([name, operationId, tags?.length, typeof summary, Array.isArray(security)]).toEqual([
        name,
        expect.stringMatching(/^[a-z][A-Za-z]+$/),
        1,
        'string',
        true,
      ]);
      for (const [status, response] of Object.entries(responses).filter(([status]) => status >= '400')) {
        const error = response.$ref === undefined ? response : shared[response.$ref.split('/').at(-1) ?? ''];
        expect([name, status, error?.content?.['application/json']]).toEqual([
          name,
          status,
          {
            schema: { $ref: '#/components/schemas/ErrorBody' },
            example: { message: expect.any(String) },
          },
        ]);
      }
    }
  });

  it('generates a typed client that passes the journey', async () => {
    const target = await freshTarget();
    const client = createClient<paths>({
      baseUrl: gateway.api,
      headers: { authorization: `Bearer ${await gateway.token('admin')}` },
    });
    const connection = await client.POST('/connections', {
      body: { name: 'by-client', type: 'database', subtype: 'postgres', secret: secretOf(target) },
    });
    expect(connection.data?.secret).toMatchObject({ PASS: '' });
    const rule = await client.POST('/guardrails', {
      body: {
        name: 'by-client',
        input: { rules: [{ type: 'pattern_match', words: [], pattern_regex: '(?i)truncate' }] },
        connection_ids: [connection.data?.id ?? ''],
      },
    });
    const read = await client.GET('/guardrails/{id}', { params: { path: { id: rule.data?.id ?? '' } } });
    expect(read.data).toEqual(rule.data);
    const run = await client.POST('/sessions', {
      body: { connection: 'by-client', script: 'SELECT 1 AS one' },
    });
    expect(run.data).toMatchObject({ output_status: 'success', output: 'one\n1\n' });
    const session = await client.GET('/sessions/{session_id}', {
      params: { path: { session_id: run.data?.session_id ?? '' }, query: { event_stream: 'utf8' } },
    });
    expect(session.data).toMatchObject({ status: 'done', event_stream: ['one\n1\n'] });
    const missing = await client.GET('/guardrails/{id}', { params: { path: { id: 'nope' } } });
    expect(missing.error).toEqual({ message: 'id must be a UUID' });
    await target.drop();
  });
});

interface Operation {
  operationId?: string;
  tags?: string[];
  summary?: string;
  security?: unknown[];
  responses: Record<string, DescribedResponse>;
}

interface DescribedResponse {
  $ref?: string;
  content?: Record<string, { schema?: unknown; example?: unknown }>;
}
