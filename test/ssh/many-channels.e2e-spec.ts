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

const CHANNELS = volume(500, 10_000);
/** Time limit of a test. The largest takes some 100 s on an idle machine. */
const WITHIN_MS = volume(120_000, 600_000);
/** Channels that may still be closing when they are counted, with what belongs to them. */
const CLOSING = 50;

/** Number of channels in the memory, with all else that has listeners. */
function channelsInMemory(): number {
  return queryObjects(EventEmitter, { format: 'count' });
}

// promises: SSHCLIENT-11
describe('an SSH client that opens and closes channels without end', () => {
  jest.setTimeout(WITHIN_MS);
  let proxy: TestSshProxy;
  let client: RawSshClient;
  /** The last count. Each takes ten seconds in a process that has run many test files. */
  let counted: number;

  beforeAll(async () => {
    proxy = await startSshProxy({}, new EndingFrontend());
    client = await RawSshClient.signIn(proxy.port);
    counted = channelsInMemory();
  });

  afterAll(async () => {
    client.end();
    await proxy.close();
  });

  /** Opens and closes channels. Returns how many of them are still in the memory. */
  const leftAfter = async (channels: number, use: (ofServer: number) => void): Promise<number> => {
    const before = counted;
    for (let own = 0; own < channels; own += 1) {
      const ofServer = await client.open(own);
      use(ofServer);
      await client.closeChannel(own, ofServer);
    }
    counted = channelsInMemory();
    return counted - before;
  };

  it('leaves nothing behind when it begins nothing in them, and each of them is closed', async () => {
    expect(await leftAfter(CHANNELS, () => undefined)).toBeLessThan(CLOSING);
  });

  it('leaves nothing behind when it ends its part first', async () => {
    const endPart = (ofServer: number): void => client.send(payloadOf(MESSAGE.CHANNEL_EOF, uint32(ofServer)));
    expect(await leftAfter(CHANNELS, endPart)).toBeLessThan(CLOSING);
  });

  it('leaves nothing behind when it begins something in them', async () => {
    const begin = (ofServer: number): void =>
      client.send(channelRequest(ofServer, 'exec', stringField('true')));
    expect(await leftAfter(CHANNELS, begin)).toBeLessThan(CLOSING);
  });

  it('leaves nothing behind by input that nobody reads', async () => {
    const input = Buffer.alloc(30 * 1024);
    const send = (ofServer: number): void => {
      client.send(channelRequest(ofServer, 'exec', stringField('true')));
      client.send(payloadOf(MESSAGE.CHANNEL_DATA, uint32(ofServer), stringField(input)));
    };
    expect(await leftAfter(CHANNELS, send)).toBeLessThan(CLOSING);
  });
});
