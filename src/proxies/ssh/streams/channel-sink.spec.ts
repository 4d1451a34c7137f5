import { EventEmitter } from 'node:events';
import type { ServerChannel } from 'ssh2';
import type { ClientConnection } from '../driver/client-connection';
import { ChannelSink } from './channel-sink';

type Written = [stream: string, text: string];

/** A channel whose client reads one piece with each call of `read`. */
function playedChannel() {
  const written: Written[] = [];
  const exits: unknown[] = [];
  const waiting: (() => void)[] = [];
  const streamOf = (name: string) =>
    Object.assign(new EventEmitter(), {
      write: (piece: Buffer, read: () => void) => {
        written.push([name, piece.toString()]);
        waiting.push(read);
      },
    });
  const channel = Object.assign(streamOf('output'), {
    stderr: streamOf('errors'),
    exit: (code: number) => exits.push(code),
    end: () => exits.push('end'),
    close: () => exits.push('close'),
  });
  const nothing = (): (() => void) => () => undefined;
  const connection = { onLeft: nothing, onRoom: nothing, isFull: false };
  const sink = new ChannelSink(
    channel as unknown as ServerChannel,
    connection as unknown as ClientConnection,
    false,
  );
  return { sink, written, exits, read: () => waiting.shift()?.() };
}

const piece = (text: string): Buffer => Buffer.from(text);

describe('a channel of a client', () => {
  it('takes any number of pieces at once', () => {
    const { sink, written, read } = playedChannel();
    sink.write(Array.from({ length: 300_000 }, () => piece('x')));
    read();
    expect([sink.waitingBytes, written.length]).toEqual([299_999, 2]);
  });

  it('gets everything before the end of the program, however slowly it reads', async () => {
    const { sink, written, exits, read } = playedChannel();
    sink.write([piece('one'), piece('two')]);
    sink.exitWith({ code: 3 });
    sink.end(piece('last'));
    for (let count = 0; count < 3; count += 1) {
      expect(exits).toEqual([]);
      read();
    }
    await sink.ended;
    expect(written).toEqual([
      ['output', 'one'],
      ['output', 'two'],
      ['errors', 'last'],
    ]);
    expect(exits).toEqual([3, 'end']);
  });

  // promises: SSHCLIENT-7
  it('gets the words and the exit code of an ending that replaces another one, and nothing in between', async () => {
    const { sink, written, exits, read } = playedChannel();
    sink.write([piece('one'), piece('two')]);
    sink.exitWith({ code: 0 });
    sink.end(piece(''));
    sink.endInstead({ code: 254 }, piece('killed'));
    sink.end(piece('again'));
    read();
    read();
    await sink.ended;
    expect(written).toEqual([
      ['output', 'one'],
      ['errors', 'killed'],
    ]);
    expect(exits).toEqual([254, 'end']);
    sink.endInstead({ code: 1 }, piece('too late'));
    expect([exits.length, written.length]).toEqual([2, 2]);
  });
});
