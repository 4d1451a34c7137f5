// Simulates the work of people at a gateway, for a picture of its dashboard.
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Sends requests in waves for the given number of seconds: scripts that succeed, fail, are refused or wait
 * for an approval; lists; and requests that are refused.
 */
export async function work({ origin, token, call, postgres }, seconds) {
  await postgres.createDatabase('target');
  const url = new URL(postgres.url('target'));
  const secret = {
    HOST: url.hostname,
    PORT: url.port,
    USER: url.username,
    PASS: url.password,
    DB: 'target',
    SSLMODE: 'disable',
  };
  const create = async (name) =>
    JSON.parse(await call('POST', '/connections', { name, type: 'database', subtype: 'postgres', secret }))
      .id;
  const orders = await create('orders');
  await create('payroll');
  await call('POST', '/guardrails', {
    name: 'no forbidden words',
    connection_ids: [orders],
    input: { rules: [{ type: 'deny_words_list', words: ['forbidden'], pattern_regex: '', message: 'No.' }] },
  });
  await call('POST', '/access-requests/rules', {
    name: 'payroll',
    access_type: 'command',
    connection_names: ['payroll'],
    reviewers_groups: ['dba'],
    min_approvals: 1,
  });
  const send = async (method, path, body, bearer = token) => {
    const answer = await fetch(`${origin}/api${path}`, {
      method,
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    await answer.arrayBuffer();
  };
  const script = (text, connection = 'orders') => send('POST', '/sessions', { connection, script: text });
  const deeds = [
    () => script('SELECT n, md5(n::text) FROM generate_series(1, 200) AS n'),
    () => script('SELECT pg_sleep(0.2)'),
    () => script('SELECT forbidden'),
    () => script('SELECT nothing FROM nowhere'),
    () => send('GET', '/sessions?page_size=20'),
    () => send('GET', '/guardrails'),
    () => send('GET', '/connections'),
    () => send('GET', '/mcp-catalog'),
    () => send('GET', '/sessions', undefined, 'nobody'),
    () => send('GET', '/no-such-thing'),
  ];
  const until = Date.now() + seconds * 1_000;
  for (let turn = 0; Date.now() < until; turn += 1) {
    const wave = 2 + Math.round(4 * (1 + Math.sin(turn / 12)));
    await Promise.all(
      Array.from({ length: wave }, (_, index) => deeds[(turn * 7 + index * 3) % deeds.length]()),
    );
    if (turn % 60 === 20) await script('SELECT 1', 'payroll');
    await delay(150);
  }
}
