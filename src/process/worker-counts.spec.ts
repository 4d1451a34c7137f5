import type { Worker } from 'node:cluster';
import { EventEmitter } from 'node:events';
import { LocalCounts } from '../proxies/kit/counts';
import { CountsOfPrimary, countFor } from './worker-counts';

/** A fake worker process, as the primary process sees it. */
class FakeWorker extends EventEmitter {
  readonly replies: unknown[] = [];
  send(reply: unknown): void {
    this.replies.push(reply);
  }
  ask(question: object): unknown {
    this.emit('message', question);
    return this.replies.at(-1);
  }
}

// promises: TOOL-9
describe('counts of several workers', () => {
  const one = [{ holder: 'alice', limit: 1 }];

  function begin() {
    const counts = new LocalCounts();
    const workers = [new FakeWorker(), new FakeWorker()] as const;
    for (const worker of workers) countFor(worker as unknown as Worker, counts);
    return workers;
  }

  it('are one, and a place is free when it is left, by its worker alone', () => {
    const [first, second] = begin();
    const take = { kind: 'take', id: 1, holders: one };
    expect(first.ask(take)).toEqual({ kind: 'counted', id: 1, result: undefined });
    expect(second.ask(take)).toMatchObject({ result: 'alice' });
    second.emit('message', { kind: 'leave', id: 1 });
    expect(second.ask({ ...take, id: 2 })).toMatchObject({ id: 2, result: 'alice' });
    for (let times = 0; times < 2; times++) first.emit('message', { kind: 'leave', id: 1 });
    expect(second.ask({ ...take, id: 3 })).toMatchObject({ id: 3, result: undefined });
    expect(first.ask({ ...take, id: 4 })).toMatchObject({ id: 4, result: 'alice' });
  });

  it('free the places of a worker that is gone, and take nothing of it that comes late', () => {
    const [first, second] = begin();
    first.ask({ kind: 'take', id: 1, holders: one });
    first.emit('exit');
    expect(second.ask({ kind: 'take', id: 1, holders: one })).toMatchObject({ result: undefined });
    second.emit('message', { kind: 'leave', id: 1 });
    first.emit('message', { kind: 'take', id: 2, holders: one });
    expect(second.ask({ kind: 'take', id: 2, holders: one })).toMatchObject({ result: undefined });
  });

  it('ignore what workers tell besides', () => {
    const [first] = begin();
    first.emit('message', { kind: 'serving' });
    expect(first.replies).toEqual([]);
  });

  it('are asked by message, each answer for its question', async () => {
    const sent: { id: number; kind: string }[] = [];
    const send = Object.getOwnPropertyDescriptor(process, 'send');
    process.send = ((question: { id: number; kind: string }) => sent.push(question)) as never;
    const listeners = process.listeners('message');
    try {
      const counts = new CountsOfPrimary();
      // Leaves out the listeners that Jest's own worker process has added.
      const added = process.listeners('message').filter((listener) => !listeners.includes(listener));
      const reply = (id: number, result?: string | number): void =>
        added.forEach((listener) => listener({ kind: 'counted', id, result }, undefined));
      const [place, full, wait] = [counts.take(one), counts.take(one), counts.countInMinute('key', 1)];
      reply(3, 500);
      reply(2, 'alice');
      reply(1);
      expect(await full).toEqual({ kind: 'full', holder: 'alice' });
      expect(await wait).toBe(500);
      const taken = await place;
      if (taken.kind === 'place') taken.leave();
      expect(sent.map(({ kind, id }) => `${kind} ${id}`)).toEqual(['take 1', 'take 2', 'count 3', 'leave 1']);
    } finally {
      if (send === undefined) delete process.send;
      else Object.defineProperty(process, 'send', send);
      for (const listener of process.listeners('message'))
        if (!listeners.includes(listener)) process.off('message', listener);
    }
  });
});
