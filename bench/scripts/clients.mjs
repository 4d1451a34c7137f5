// Clients in a separate process, which run scripts for some seconds, or a number of scripts. Started by
// fork(); receives its work in a message and answers once.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { createInterface } from 'node:readline';
import { Client } from 'pg';
import { median } from '../kit/figures.mjs';

const opened = {
  /** A client of the REST API that keeps its connection open. */
  async rest({ url, headers, body }) {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    return {
      run: async () => {
        const sent = request(url, { method: 'POST', agent, headers });
        sent.end(body);
        const [answer] = await once(sent, 'response');
        let text = '';
        for await (const piece of answer.setEncoding('utf8')) text += piece;
        if (answer.statusCode !== 200 || JSON.parse(text).output_status !== 'success') throw new Error(text);
      },
      close: () => agent.destroy(),
    };
  },
  /** The driver alone: each script on a connection of its own. */
  async pg({ target, script }) {
    const run = async () => {
      const client = new Client({ connectionString: target });
      await client.connect();
      await client.query(script);
      await client.end();
    };
    return { run, close: () => undefined };
  },
  /** A new psql process for each script. */
  async psql({ psql, target, script }) {
    const run = async () => {
      const [code] = await once(spawn(psql, ['-X', target, '-c', script], { stdio: 'ignore' }), 'exit');
      if (code !== 0) throw new Error(`psql ended with ${code}`);
    };
    return { run, close: () => undefined };
  },
  /** One psql process that receives one script after another. */
  async 'psql, open'({ psql, target, script }) {
    const child = spawn(psql, ['-X', '-At', target], { stdio: ['pipe', 'pipe', 'inherit'] });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const run = async () => {
      child.stdin.write(`${script};\n`);
      if ((await lines.next()).value !== '1') throw new Error('psql said something else');
    };
    return { run, close: () => child.stdin.end() };
  },
};

const [{ kind, clients, seconds = Infinity, count = Infinity, ...what }] = await once(process, 'message');
const all = await Promise.all(Array.from({ length: clients }, () => opened[kind](what)));
const times = [];
let left = count;
const startedAt = performance.now();
const cpuAt = process.cpuUsage();
const until = startedAt + seconds * 1000;
await Promise.all(
  all.map(async ({ run }) => {
    while (performance.now() < until && left > 0) {
      left -= 1;
      const at = performance.now();
      await run();
      times.push(performance.now() - at);
    }
  }),
);
const { user, system } = process.cpuUsage(cpuAt);
const took = (performance.now() - startedAt) / 1000;
for (const one of all) one.close();
const result = {
  perSecond: times.length / took,
  count: times.length,
  p50: median(times),
  processorMs: (user + system) / 1_000 / times.length,
};
process.send(result, () => process.disconnect());
