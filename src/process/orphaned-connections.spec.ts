import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { eventually } from '../../test/support/eventually';
import { freePort } from '../../test/support/free-port';
import { reliedOn } from '../../test/support/relied-on';
import { closeOrphanedConnections } from './orphaned-connections';

const relied = reliedOn('node', 'src/process/orphaned-connections.ts');

describe('a connection that a worker was handed, and did not take', () => {
  let worker: Worker;

  afterEach(() => worker.process.kill('SIGKILL'));

  it('is closed when the worker dies: the client does not wait forever', async () => {
    const port = await freePort();
    cluster.setupPrimary({
      exec: join(__dirname, 'workers.fixture.cjs'),
      args: [],
      serialization: 'advanced',
    });
    worker = cluster.fork();
    closeOrphanedConnections(worker);
    const acts: unknown[] = [];
    const send = worker.process.send?.bind(worker.process) as (...given: unknown[]) => boolean;
    worker.process.send = (...given: unknown[]) => {
      acts.push((given[0] as { act?: unknown }).act);
      return send(...given);
    };
    worker.send({ task: { ports: [port], fault: 'is stuck' } });
    await once(worker, 'message');
    const client = connect(port, '127.0.0.1');
    client.on('error', () => undefined);
    await once(client, 'connect');
    const handed = async (): Promise<boolean> => acts.includes('newconn');
    await eventually('the connection is handed over', handed).catch(() =>
      relied('messages of node:cluster to a worker', acts, ['newconn']),
    );
    worker.process.kill('SIGKILL');
    await eventually('the connection is closed', async () => client.closed).catch(() =>
      relied('the handle of a connection: is it closed?', client.closed, true),
    );
  });
});
