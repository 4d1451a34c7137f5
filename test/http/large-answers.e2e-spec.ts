import { describeDataPath } from '../support/describe';

/**
 * Maximum length of a text rendered in one call: far longer than a piece, far shorter than an answer here.
 */
const AT_ONCE_AT_MOST = 512 * 1024;
const ROWS = 400;

const LISTS = ['/attributes', '/connections', '/guardrails', '/access-requests/rules'];

/** Measures text lengths, not time: no call of `JSON.stringify` may render a large part of an answer. */
describeDataPath('a large answer', ({ path, gateway }) => {
  async function longestRendered(work: () => Promise<void>): Promise<number> {
    const { stringify } = JSON;
    let longest = 0;
    const watched = (...given: Parameters<typeof stringify>): string => {
      const text = stringify(...given);
      longest = Math.max(longest, text?.length ?? 0);
      return text;
    };
    JSON.stringify = watched as typeof stringify;
    try {
      await work();
    } finally {
      JSON.stringify = stringify;
    }
    return longest;
  }

  beforeAll(async () => {
    await gateway.call('admin', 'GET', '/userinfo');
    const org = '(SELECT id FROM organizations)';
    const long = "repeat('long', 1000)";
    const names = "(SELECT array_agg('attribute' || a) FROM generate_series(1, 100) AS a)";
    const words = `(SELECT jsonb_build_object('rules', jsonb_build_array(jsonb_build_object('type', 'deny_words_list',
      'words', jsonb_agg('denied ' || w), 'pattern_regex', ''))) FROM generate_series(1, 500) AS w)`;
    const series = `generate_series(1, ${ROWS}) AS n`;
    await gateway.database.query(`
      INSERT INTO attributes (org_id, name, description) SELECT ${org}, 'listed' || n, ${long} FROM ${series};
      INSERT INTO guardrail_rules (org_id, name, description, input, output)
        SELECT ${org}, 'r' || n, ${long}, ${words}, '{"rules": []}' FROM ${series};
      INSERT INTO access_request_rules (org_id, name, access_type, reviewers_groups, attributes, connection_names)
        SELECT ${org}, 'rule' || n, 'command', ${names}, ${names}, ${names} FROM ${series};
      INSERT INTO connections (org_id, name, type, subtype, secret, secret_names, description, attributes)
        SELECT ${org}, 'c' || n, 'database', 'postgres', '', '{}', ${long}, ${names} FROM ${series};
    `);
  });

  // promises: HTTP-19
  it.each(LISTS)('of %s is rendered in pieces', async (list) => {
    const longest = await longestRendered(async () => {
      const { status, text, body } = await gateway.call('admin', 'GET', `${list}?page_size=${ROWS}`);
      expect(status).toBe(200);
      expect(text.length).toBeGreaterThan(2 * AT_ONCE_AT_MOST);
      expect(body.data).toHaveLength(ROWS);
      expect(body.pages).toMatchObject({ page: 1, size: ROWS });
    });
    expect(longest).toBeLessThan(AT_ONCE_AT_MOST);
  });

  // promises: HTTP-19
  it('is a session with a long script: it is rendered in pieces, with and without its recording', async () => {
    const script = `SELECT length('${'x"\u{1F4A9}\n'.repeat(100_000)}')`;
    const answer = await path.run(script);
    expect(answer.body).toMatchObject({ output: 'length\n400000\n' });
    const longest = await longestRendered(async () => {
      const plain = await path.read(answer.body.session_id);
      expect([plain.body.script.data === script, plain.body.event_stream]).toEqual([true, []]);
      const whole = await path.read(answer.body.session_id, '?expand=session_input,event_stream');
      expect(whole.body.script.data === script).toBe(true);
      expect(whole.body.event_stream).toHaveLength(2);
      expect(Object.keys(whole.body).toSorted()).toEqual(Object.keys(plain.body).toSorted());
    });
    expect(longest).toBeLessThan(AT_ONCE_AT_MOST);
  });
});
