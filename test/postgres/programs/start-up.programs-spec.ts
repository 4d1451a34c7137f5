import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { describeWirePath } from '../../support/describe';
import { createRule } from '../../support/guardrails';
import { entries } from '../../support/guarded-path';

/** Programs by name, each with the messages that it sends when it starts. */
const PROGRAMS = readFileSync(join(__dirname, 'start-up.sql'), 'utf8')
  .split(/^-- /m)
  .slice(3)
  .map((part) => {
    const [name = '', ...messages] = part.split('\n').filter((line) => line !== '');
    return { name, messages };
  });

// promises: PROXY-1
describeWirePath('what programs with a window send at their start, with rules on', ({ path }) => {
  beforeAll(() =>
    createRule(path.gateway, {
      name: 'statements',
      connection_ids: [path.connectionId],
      input: entries({
        type: 'sql_statement',
        kinds: ['drop', 'grant'],
        without_where: true,
        tables: [{ name: 'salaries', access: 'any' }],
        message: 'Not here.',
      }),
      output: entries({ type: 'detector', detectors: ['us_ssn', 'aws_key'], action: 'mask' }),
    }),
  );

  it('is known of each', () => {
    expect(PROGRAMS.map(({ name }) => name)).toEqual(['pgAdmin 4', 'DBeaver', 'Active Record']);
    for (const { messages } of PROGRAMS) expect(messages.length).toBeGreaterThanOrEqual(6);
  });

  it.each(PROGRAMS)(
    'is answered as without the gateway, and refused statements are not: $name',
    async ({ messages }) => {
      const answers = await path.both(async (way) => {
        const client = new Client(way);
        await client.connect();
        try {
          const seen: string[] = [];
          for (const message of messages) {
            const results = [await client.query(message)].flat();
            const shown = JSON.stringify(
              results.map(({ command, rows, fields }) => ({
                command,
                rows,
                fields: fields.map(({ name, dataTypeID }) => [name, dataTypeID]),
              })),
            );
            seen.push(shown.replaceAll(way.database, 'OWN'));
          }
          return seen;
        } finally {
          await client.end();
        }
      });
      expect(answers).toHaveLength(messages.length);
      const client = new Client(path.through);
      await client.connect();
      try {
        for (const message of messages) await client.query(message);
        await expect(client.query('DROP TABLE customers')).rejects.toThrow('Not here.');
        expect((await client.query('SELECT count(*)::int FROM customers')).rows).toEqual([{ count: 2 }]);
      } finally {
        await client.end();
      }
    },
  );
});
