import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../support/eventually';
import { startGateway } from '../support/gateway';
import { scoped } from '../support/scoped';
import { describeWithDropbear, startDropbearServer } from '../support/ssh/dropbear-server';
import { isRunning } from '../support/ssh/open-ssh-server';

describeWithDropbear(
  'a script on a Dropbear server',
  scoped((begin) => {
    const gateway = begin(() => startGateway());
    const server = begin(startDropbearServer);

    beforeAll(async () => {
      const body = { name: 'small', type: 'application', subtype: 'ssh', secret: server.secret() };
      expect((await gateway.call('admin', 'POST', '/connections', body)).status).toBe(201);
    });

    const run = (script: string, more: object = {}) =>
      gateway.call('admin', 'POST', '/sessions', { connection: 'small', script, ...more });

    // promises: SSH-6
    it('runs, with output, error output and exit code', async () => {
      const { body } = await run('echo out; echo err >&2; cat; exit 7');
      expect(body).toMatchObject({ output_status: 'failed', exit_code: 7 });
      expect(body.results.map(({ output }: { output: string }) => output).toSorted()).toEqual([
        'err\n',
        'out\n',
      ]);
    });

    // promises: SSH-11
    it('is told that such a server takes no certificates', async () => {
      const secret = server.secret({ AUTH: 'certificate' });
      delete secret['PRIVATE_KEY'];
      const body = { name: 'certified', type: 'application', subtype: 'ssh', secret };
      expect((await gateway.call('admin', 'POST', '/connections', body)).status).toBe(201);
      const { body: test } = await gateway.call('admin', 'GET', '/connections/certified/test');
      expect(test).toMatchObject({
        success: false,
        message: expect.stringContaining('The server refused the certificate of the gateway.'),
      });
    });

    // promises: SSH-7
    it('is ended by a kill with all of its processes', async () => {
      const file = join(server.folder, 'pids');
      const answer = run(`sleep 1000 & echo "$$ $!" > ${file}; sleep 1000`, { correlation_id: 'to-end' });
      const pids = await eventually('it runs', () => {
        try {
          return readFileSync(file, 'utf8').trim().split(' ').map(Number);
        } catch {
          return undefined;
        }
      });
      const { body } = await gateway.call('admin', 'GET', '/sessions?correlation_id=to-end');
      await gateway.call('admin', 'POST', `/sessions/${body.data[0].id}/kill`);
      expect((await answer).body).toMatchObject({ output_status: 'failed', exit_code: 254 });
      for (const pid of pids) await eventually('it is gone', () => !isRunning(pid));
    });
  }),
);
