// Clients of all kinds in a separate process. Started by fork(). Each message describes work; the answer is
// the number of completed actions of each kind.
import { Agent, request } from 'node:http';
import { Client } from 'pg';

/** Repeated action of one client of each kind. */
const turns = {
  scripts: ({ origin, authorization }, agent) =>
    send(agent, `${origin}/api/sessions`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ connection: 'target', script: 'SELECT n FROM generate_series(1, 20) AS n' }),
    }),
  gets: ({ origin, authorization, paths }, agent, turn) =>
    send(agent, `${origin}/api${paths[turn % paths.length]}`, { headers: { authorization } }),
  mcp: ({ mcp: { url, ...call } }, agent) => send(agent, url, call),
  /** A PostgreSQL client that signs in, reads a result that guardrails screen, and disconnects. */
  async sessions({ wire }) {
    const client = new Client({ connectionString: wire });
    await client.connect();
    await client.query('SELECT $1::int AS n, now()', [1]);
    await client.query(
      `SELECT n, 'customer' || n || '@example.com' AS contact FROM generate_series(1, 100) AS n`,
    );
    await client.end();
  },
};

function send(agent, url, { method = 'GET', headers, body }) {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, agent, headers }, (answer) => {
      const told = [];
      answer.on('data', (chunk) => told.push(chunk));
      answer.once('error', reject);
      answer.once('end', () => {
        if (answer.statusCode === 200) resolve();
        else reject(new Error(`${method} ${url}: ${answer.statusCode} ${Buffer.concat(told).toString()}`));
      });
    });
    sent.once('error', reject);
    sent.end(body);
  });
}

/**
 * @param kinds for each kind, the number of `clients`, the total number of actions (`count`), and the pause
 * of a client after each action (`pauseMs`)
 * @param seconds after which all clients stop
 */
async function work({ kinds, seconds = Infinity, ...where }) {
  const until = performance.now() + seconds * 1000;
  const done = {};
  const client = async (kind, { count = Infinity, pauseMs = 0 }) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    while (performance.now() < until && done[kind] < count) {
      done[kind] += 1;
      await turns[kind](where, agent, done[kind]);
      if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
    agent.destroy();
  };
  await Promise.all(
    Object.entries(kinds).flatMap(([kind, settings]) => {
      done[kind] = 0;
      return Array.from({ length: settings.clients }, () => client(kind, settings));
    }),
  );
  return done;
}

process.on('message', (what) => void work(what).then((done) => process.send(done)));
