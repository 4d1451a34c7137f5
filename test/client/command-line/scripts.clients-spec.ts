import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describeReviewPath } from '../../support/describe';
import { eventually } from '../../support/eventually';
import { Terminal } from '../../support/terminal';
import { describeWith } from '../../support/tls';
import { CommandLine, Run, commandOf, variablesOf } from './command-line';

describeReviewPath('scripts and recordings at the command line', ({ path }) => {
  const line = new CommandLine(() => path.gateway);

  afterAll(() => line.remove());

  it('runs scripts: output on standard output, the exit code of the script', async () => {
    expect(await line.run(['exec', 'orders', '-c', 'SELECT 1 AS one'])).toEqual({
      code: 0,
      out: 'one\n1\n',
      err: '',
    });
    expect((await line.run(['exec', 'orders', '-f', '-'], undefined, 'SELECT nothing')).code).toBe(1);
    const listed = await line.run(['--output', 'json', 'sessions', 'list', '--limit', '1']);
    const [{ id }] = JSON.parse(listed.out) as [{ id: string }];
    const tail = await line.run(['sessions', 'tail', id]);
    expect([tail.code, tail.out]).toEqual([0, expect.stringContaining('> SELECT nothing')]);
    expect((await line.run(['sessions', 'replay', id, '--speed', '100'])).code).toBe(0);
    const evidence = join(line.folder, 'recording.evidence');
    expect((await line.run(['sessions', 'download', id, evidence, '--format', 'evidence'])).code).toBe(0);
    const keys = join(line.folder, 'keys.json');
    writeFileSync(keys, await (await fetch(`${path.gateway.api}/evidence-keys`)).text());
    const verified = await line.run(['sessions', 'verify-file', evidence, '--public-keys', keys]);
    expect([verified.code, verified.out]).toEqual([0, expect.stringMatching(/./)]);
    const content = readFileSync(evidence);
    content.writeUInt8(content.readUInt8(content.length >> 1) ^ 1, content.length >> 1);
    writeFileSync(evidence, content);
    expect((await line.run(['sessions', 'verify-file', evidence, '--public-keys', keys])).code).not.toBe(0);
    expect((await line.run(['sessions', 'verify', id])).out).toContain('valid');
    expect((await line.run(['connections'])).out).toContain('orders');
    expect((await line.run(['kinds'])).out).toMatch(/^postgres +database +PostgreSQL +HOST .*postgres:/m);
    expect((await line.run(['policy', 'why', 'orders'])).out).toContain('outcome');
  });

  it('lets no recording speak to the terminal', async () => {
    const script = "SELECT chr(27) || ']0;owned' || chr(7) || chr(27) || '[2J' || U&'\\202E' AS evil";
    expect((await line.run(['exec', 'orders', '-c', script])).code).toBe(0);
    const [{ id }] = JSON.parse(
      (await line.run(['--output', 'json', 'sessions', 'list', '--limit', '1'])).out,
    ) as [{ id: string }];
    for (const command of ['tail', 'replay']) {
      const { out } = await line.run(['sessions', command, id]);
      expect(out).toContain('\\x1b]0;owned\\x07');
      expect(out).toContain('\\u{202e}');
      // oxlint-disable-next-line no-control-regex
      expect(out).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/);
    }
  });

  describeWith('script')('on a terminal', () => {
    it('shows what is downloaded, and obeys none of it', async () => {
      const [{ id }] = JSON.parse(
        (await line.run(['--output', 'json', 'sessions', 'list', '--limit', '1'])).out,
      ) as [{ id: string }];
      const env = variablesOf(await line.as('admin'));
      const terminal = new Terminal(commandOf('sessions', 'download', id, '-', '--format', 'txt'), env);
      const { code, out } = await terminal.ended();
      expect([code, out]).toEqual([0, expect.stringContaining('\\x1b]0;owned\\x07')]);
      expect(out).not.toContain('\u001b');
    });
  });

  // promises: RUN-16
  it('shows a person an empty line between results, and gives programs what came', async () => {
    const script = 'SELECT 1 AS one; SELECT 2 AS two';
    const { out } = await line.run(['exec', 'orders', '-c', script]);
    expect(out).toBe('one\n1\ntwo\n2\n');
    const json = JSON.parse((await line.run(['--output', 'json', 'exec', 'orders', '-c', script])).out) as {
      results: object[];
    };
    expect(json.results).toEqual([
      { kind: 'rows', output: 'one\n1\n', truncated: false },
      { kind: 'rows', output: 'two\n2\n', truncated: false },
    ]);
    const env = variablesOf(await line.as('admin'));
    const shown = await new Terminal(commandOf('exec', 'orders', '-c', script), env).ended();
    expect(shown).toEqual({ code: 0, out: 'one\r\n1\r\n\r\ntwo\r\n2\r\n' });
  });

  it('leaves no half of a recording behind', async () => {
    const server = createServer((request, response) => {
      if (request.url === '/api/publicserverinfo')
        return response
          .setHeader('content-type', 'application/json')
          .end(JSON.stringify({ api_url: 'http://127.0.0.1/api' }));
      response.writeHead(200, { 'content-type': 'text/plain', 'content-length': '1000' });
      return response.write('half', () => response.destroy());
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const { port } = server.address() as AddressInfo;
    const file = join(line.folder, 'half.txt');
    const found = await line.run(['--url', `http://127.0.0.1:${port}`, 'sessions', 'download', 'x', file]);
    expect([found.code, existsSync(file)]).toEqual([expect.any(Number), false]);
    expect(found.code).not.toBe(0);
    server.close();
  });

  it('ends the script when it is interrupted', async () => {
    const run = new Run(
      ['exec', 'orders', '-c', 'SELECT pg_sleep(600) AS interrupted'],
      await line.as('admin'),
    );
    await path.untilRunning(/AS interrupted/);
    run.child.kill('SIGINT');
    expect((await run.ended).code).toBe(130);
    await eventually('the target is idle', async () => {
      const [row] = await path.target.query<{ count: number }>(
        `SELECT count(*)::int FROM pg_stat_activity WHERE query LIKE '%AS interrupted' AND state = 'active'`,
      );
      return row?.count === 0;
    });
  });
});
