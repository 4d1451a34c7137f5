import { setImmediate as turn } from 'node:timers/promises';
import { collectGarbageOfStart } from './garbage-of-start';

it('the garbage of a start is collected, and nothing can ask for that afterwards', async () => {
  const left = new WeakRef({ bytes: new Uint8Array(1_000) });
  // A WeakRef keeps its object alive during the turn of the event loop that created the WeakRef.
  await turn();
  collectGarbageOfStart();
  expect(left.deref()).toBeUndefined();
  expect(globalThis).not.toHaveProperty('gc');
});
