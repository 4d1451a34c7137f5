import { EventEmitter } from 'node:events';
import { queryObjects } from 'node:v8';
import { volume } from '../support/volume';
import {
  MESSAGE,
  RawSshClient,
  channelRequest,
  payloadOf,
  stringField,
  uint32,
} from '../support/ssh/raw-ssh-client';
import { EndingFrontend, type TestSshProxy, startSshProxy } from '../support/ssh/ssh-proxy';

const CHANNELS = volume(1_000, 10_000);
/** Time limit of a test. The largest takes some 100 s on an idle machine. */
const WITHIN_MS = volume(120_000, 600_000);
/** Channels that may still be closing when they are counted, with what belongs to them. */
const CLOSING = 50;

/**
 * Number of channels in the memory, with all else that has listeners. A count takes seconds in a process that
 * has run many test files.
 */
function channelsInMemory(): number {
  return queryObjects(EventEmitter, { format: 'count' });
}

// promises: SSHCLIENT-11
describe('an SSH client that opens and closes channels without end', () => {
  jest.setTimeout(WITHIN_MS);
  let proxy: TestSshProxy;
  let client: RawSshClient;

  beforeAll(async () => {
    proxy = await startSshProxy({}, new EndingFrontend());
    client = await RawSshClient.signIn(proxy.port);
  });

  afterAll(async () => {
    client.end();
    await proxy.close();
  });

  it('leaves nothing behind, whatever it does in them', async () => {
    const input = Buffer.alloc(30 * 1024);
    const begin = (ofServer: number): void =>
      client.send(channelRequest(ofServer, 'exec', stringField('true')));
    const uses: readonly ((ofServer: number) => void)[] = [
      () => undefined,
      (ofServer) => client.send(payloadOf(MESSAGE.CHANNEL_EOF, uint32(ofServer))),
      begin,
      // Nobody reads this input.
      (ofServer) => {
        begin(ofServer);
        client.send(payloadOf(MESSAGE.CHANNEL_DATA, uint32(ofServer), stringField(input)));
      },
    ];
    const before = channelsInMemory();
    for (let own = 0; own < CHANNELS; own += 1) {
      const ofServer = await client.open(own);
      uses[own % uses.length]!(ofServer);
      await client.closeChannel(own, ofServer);
    }
    expect(channelsInMemory() - before).toBeLessThan(CLOSING);
  });
});
