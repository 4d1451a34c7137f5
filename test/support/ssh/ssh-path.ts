import type { DataPath } from '../data-path';
import { type Answer, type GatewayOptions, type TestGateway, startGateway } from '../gateway';
import { type OpenSshServer, startOpenSshServer } from './open-ssh-server';

/** A gateway with one connection, `server`, to a real OpenSSH server; and helpers to use it. */
export interface SshPath extends Pick<
  DataPath,
  'gateway' | 'run' | 'read' | 'recording' | 'connect' | 'close'
> {
  readonly gateway: TestGateway;
  readonly server: OpenSshServer;
  readonly connectionId: string;
  /** Asks to create a connection. Returns the answer. */
  ask(name: string, secret: Record<string, string>, more?: object): Promise<Answer>;
  /** GET /connections/{name}/test. */
  test(name: string): Promise<{ success: boolean; message: string }>;
}

export async function startSshPath(
  options: GatewayOptions = {},
  settings: readonly string[] = [],
): Promise<SshPath> {
  const [gateway, server] = await Promise.all([startGateway(options), startOpenSshServer(settings)]);
  const ask: SshPath['ask'] = (name, secret, more = {}) =>
    gateway.call('admin', 'POST', '/connections', {
      name,
      type: 'application',
      subtype: 'ssh',
      secret,
      ...more,
    });
  const connect: SshPath['connect'] = async (name, more = {}) => {
    const answer = await ask(name, server.secret(), more);
    if (answer.status !== 201) throw new Error(`the connection was not created: ${answer.text}`);
    return answer.body.id as string;
  };
  const read: SshPath['read'] = (id, query = '', person = 'admin') =>
    gateway.call(person, 'GET', `/sessions/${id}${query}`);
  return {
    gateway,
    server,
    connectionId: await connect('server'),
    ask,
    connect,
    read,
    run: (script, more = {}, person = 'admin') =>
      gateway.call(person, 'POST', '/sessions', { connection: 'server', script, ...more }),
    recording: async (id) => {
      const { body } = await read(id, '?expand=event_stream');
      return (body.event_stream as [number, string, string][]).map(([, type, content]) => [
        type,
        Buffer.from(content, 'base64').toString(),
      ]);
    },
    test: async (name) => (await gateway.call('admin', 'GET', `/connections/${name}/test`)).body,
    close: async () => {
      await gateway.close();
      await server.close();
    },
  };
}
