import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Client, ClientChannel, SFTPWrapper } from 'ssh2';
import type { LedgerWorld } from '../ledger/ledger-world';
import type { Random } from '../ledger/random';
import { volume } from '../volume';
import { signedIn } from './ssh-proxy';
import type { ChannelKind, SshLedger } from './ssh-ledger';

const CLIENTS = volume(4, 8);
const THINKS_AT_MOST_MS = 30;
/** Maximum delay after a failed or lost connection. */
const PAUSES_AT_MOST_MS = 600;
/** A client ends a channel after at most this many inputs, so that sessions also end regularly. */
const INPUTS_AT_MOST = 25;
/** A client disconnects after at most this many channels. */
const CHANNELS_AT_MOST = 6;
const KINDS: Readonly<Record<ChannelKind, number>> = { command: 40, lines: 40, files: 20 };

interface ClientsOptions {
  readonly world: LedgerWorld;
  readonly port: number;
  readonly ledger: SshLedger;
  readonly random: Random;
  /** The file on the server to which programs append their marks. */
  readonly marks: string;
  /** The folder on the server in which clients make a folder for each mark. */
  readonly folder: string;
}

/** Clients of SSH that each open one channel after another, even while the gateway is down. */
export class SshLedgerClients {
  private readonly working: Promise<unknown>;
  private isOver = false;

  constructor(private readonly options: ClientsOptions) {
    const { random } = options;
    this.working = Promise.all(
      Array.from({ length: CLIENTS }, (_, index) => this.work(index, random.of(`ssh client ${index}`))),
    );
    // Prevents an unhandled rejection until `stop` throws the error.
    this.working.catch(() => undefined);
  }

  async stop(): Promise<void> {
    this.isOver = true;
    await this.working;
  }

  private async work(index: number, random: Random): Promise<void> {
    let channels = 0;
    while (!this.isOver) {
      const { port, world } = this.options;
      const client = await signedIn(port, { username: 'server', password: await world.token() });
      if (typeof client === 'string') {
        await delay(random.between(0, PAUSES_AT_MOST_MS));
        continue;
      }
      // The driver does not end the channels of a lost connection.
      const lost = once(client, 'close').then(() => Promise.reject(new Error('closed')));
      lost.catch(() => undefined);
      try {
        for (let left = random.between(1, CHANNELS_AT_MOST); left > 0 && !this.isOver; left -= 1) {
          const kind = random.pick(KINDS);
          const name = `${kind}-${index}-${(channels += 1)}`;
          await Promise.race([this.channel(client, kind, name, random), lost]);
        }
      } catch {
        // The gateway was killed. The next connection begins with a new channel.
      }
      client.end();
    }
  }

  private async channel(client: Client, kind: ChannelKind, name: string, random: Random): Promise<void> {
    this.options.ledger.begin(name, kind);
    if (kind === 'command') await this.command(client, name);
    else if (kind === 'lines') await this.lines(client, name, random);
    else await this.files(client, name, random);
  }

  private async command(client: Client, name: string): Promise<void> {
    const { ledger, marks } = this.options;
    const mark = `mark-${name}`;
    const command = `echo ${mark} >> ${marks}; echo done ${mark}`;
    const output = `done ${mark}\n`;
    ledger.send(name, command, output, mark);
    const { channel, closed } = await executed(client, command);
    await this.reads(channel, output);
    ledger.acknowledge(name);
    await closed;
  }

  private async lines(client: Client, name: string, random: Random): Promise<void> {
    const { ledger, marks } = this.options;
    const command = `: mark-${name}; while read -r line; do echo "$line" >> ${marks}; echo "done $line"; done`;
    ledger.send(name, command);
    const { channel, closed } = await executed(client, command);
    let expected = '';
    for (let left = random.between(1, INPUTS_AT_MOST); left > 0 && !this.isOver; left -= 1) {
      const mark = `mark-${name}.${left}`;
      ledger.send(name, `${mark}\n`, `done ${mark}\n`, mark);
      channel.write(`${mark}\n`);
      expected += `done ${mark}\n`;
      await this.reads(channel, expected);
      ledger.acknowledge(name);
      await delay(random.between(0, THINKS_AT_MOST_MS));
    }
    channel.end();
    await closed;
  }

  private async files(client: Client, name: string, random: Random): Promise<void> {
    const { ledger, folder } = this.options;
    ledger.send(name, 'subsystem sftp');
    const sftp = await new Promise<SFTPWrapper>((resolve, reject) => {
      client.sftp((error, opened) => (error ? reject(error) : resolve(opened)));
    });
    for (let left = random.between(1, INPUTS_AT_MOST); left > 0 && !this.isOver; left -= 1) {
      const mark = `mark-${name}.${left}`;
      ledger.send(name, `mkdir ${folder}/${mark}`, '', mark);
      await new Promise<void>((resolve, reject) => {
        sftp.mkdir(`${folder}/${mark}`, (error) => (error ? reject(error) : resolve()));
      });
      ledger.acknowledge(name);
      await delay(random.between(0, THINKS_AT_MOST_MS));
    }
    sftp.end();
  }

  /** Resolves when the channel has given exactly this output. Rejects if it ends before. */
  private reads(channel: ClientChannel & { got?: string }, expected: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const look = (): void => {
        const { got = '' } = channel;
        if (!expected.startsWith(got)) reject(new Error(`unexpected output: ${got}`));
        else if (got === expected) resolve();
        else return;
        channel.off('data', read);
      };
      const read = (bytes: Buffer): void => {
        channel.got = (channel.got ?? '') + bytes.toString();
        look();
      };
      channel.on('data', read);
      channel.once('close', () => reject(new Error('closed')));
    });
  }
}

interface Executed {
  readonly channel: ClientChannel;
  readonly closed: Promise<unknown>;
}

function executed(client: Client, command: string): Promise<Executed> {
  return new Promise((resolve, reject) => {
    client.exec(command, (error, channel) => {
      if (error) return reject(error);
      channel.stderr.resume();
      channel.on('error', () => undefined);
      // Begins to wait now, because the channel may close together with its last output.
      resolve({ channel, closed: once(channel, 'close') });
    });
  });
}
