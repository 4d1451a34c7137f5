import { EventEmitter } from 'node:events';
import { Socket } from 'node:net';
import type { Connection } from 'ssh2';
import { ForwardRequests } from './forward-requests';

const END = { kind: 'tcp', host: 'localhost', port: 8_080 } as const;

/** A driver that asks its client for a stream, and gets no answer. */
class MuteDriver extends EventEmitter {
  asked = 0;

  forwardOut(): void {
    this.asked += 1;
  }
}

describe('a stream that a client is asked to take', () => {
  // A timer that waits for an answer would fail this file, as all that a test file leaves behind.
  it('is refused at once when the client leaves', async () => {
    const [driver, socket] = [new MuteDriver(), new Socket()];
    const offered = new ForwardRequests(driver as unknown as Connection, socket).offer(END, undefined);
    expect(driver.asked).toBe(1);
    socket.destroy();
    await expect(offered).rejects.toThrow('the client left');
    expect(socket.listenerCount('close')).toBe(0);
  });

  it('is refused at once when the client has left', async () => {
    const [driver, socket] = [new MuteDriver(), new Socket().destroy()];
    const offered = new ForwardRequests(driver as unknown as Connection, socket).offer(END, undefined);
    await expect(offered).rejects.toThrow('the client left');
    expect(driver.asked).toBe(0);
  });
});
