import type { JsonObject } from '../../../kernel/json/json';
import type { HttpAnswer } from '../http/answer';
import type { ModernRequest } from '../http/modern-request';
import type { ChangeReceiver } from '../visits/visit';
import type { ServedVisit } from '../visits/served-visit';
import { streamChanges } from './stream-changes';

const CHANGE = 'notifications/tools/list_changed';
const REQUEST = { params: { notifications: { toolsListChanged: true } } } as unknown as ModernRequest;

/** A client that reads a message when `read` is called. */
function slowClient() {
  const sent: unknown[] = [];
  const waiting: (() => void)[] = [];
  const http = {
    left: new AbortController().signal,
    closed: new AbortController().signal,
    send: ({ method }: JsonObject) => {
      sent.push(method);
      return new Promise<void>((resolve) => waiting.push(resolve));
    },
  };
  return { sent, http: http as unknown as HttpAnswer, read: () => waiting.shift()?.() };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('a stream of changes', () => {
  it('takes no change from the server before its client has read the acknowledgment', async () => {
    const client = slowClient();
    let receiver: ChangeReceiver | undefined;
    const visit = {
      ended: new AbortController().signal,
      listen: (_: unknown, listener: ChangeReceiver) => (
        (receiver = listener),
        Promise.resolve({ tools: true })
      ),
    };
    void streamChanges(1, REQUEST, visit as unknown as ServedVisit, client.http);
    await turn();
    let taken = 0;
    for (let changes = 0; changes < 3; changes++)
      void Promise.resolve(receiver?.notify(CHANGE, {})).then(() => (taken += 1));
    await turn();
    expect([client.sent, taken]).toEqual([['notifications/subscriptions/acknowledged'], 0]);
    client.read();
    await turn();
    expect([client.sent.slice(1), taken]).toEqual([[CHANGE, CHANGE, CHANGE], 0]);
    for (let changes = 0; changes < 3; changes++) client.read();
    await turn();
    expect(taken).toBe(3);
  });
});
