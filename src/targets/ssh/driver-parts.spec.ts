import { once } from 'node:events';
import { type PlayedServer, playServer } from '../../../test/support/ssh/played-server';
import { reliedOn } from '../../../test/support/relied-on';
import { signalCommand } from './driver-parts';
import { openSsh } from './open-ssh';

const relied = reliedOn('ssh2', 'src/targets/ssh/driver-parts.ts');

interface Parts {
  readonly outgoing: { readonly id: number; readonly state: string };
}

describe('the private parts of ssh2', () => {
  let server: PlayedServer | undefined;
  afterEach(() => server?.close());

  it('send a signal to a command, also when all of its input was sent, and none after its end', async () => {
    const signals: string[] = [];
    let exit = (): void => undefined;
    server = await playServer({
      exec: (channel, _info, session) => {
        session.on('signal', (_accept, _reject, { name }) => {
          signals.push(name);
          exit = () => {
            channel.exit(0);
            channel.end();
          };
          channel.write('signalled');
        });
      },
    });
    const ssh = await openSsh(server.secret());
    const channel = await ssh.open((opened) => ssh.client.exec('sleep', opened));
    channel.stderr.resume();
    const { outgoing } = channel as unknown as Parts;
    relied('the id of a channel', typeof outgoing.id, 'number');
    relied('the state of an open channel', outgoing.state, 'open');
    signalCommand(ssh.client, channel, 'TERM');
    await once(channel, 'data');
    expect(signals).toEqual(['TERM']);

    channel.end();
    await once(channel, 'finish');
    relied('the state of a channel whose input was sent', outgoing.state, 'eof');
    const { _protocol: protocol } = ssh.client as unknown as { _protocol: { signal(): void } };
    const sent = jest.spyOn(protocol, 'signal');
    channel.signal('INT');
    relied('signals of the public function after the end of the input', sent.mock.calls, []);
    signalCommand(ssh.client, channel, 'KILL');
    expect(sent.mock.calls).toEqual([[outgoing.id, 'KILL']]);

    exit();
    channel.resume();
    await once(channel, 'close');
    signalCommand(ssh.client, channel, 'KILL');
    expect(sent).toHaveBeenCalledTimes(1);
    ssh.close();
    expect(await ssh.ended).toBeUndefined();
  });
});
