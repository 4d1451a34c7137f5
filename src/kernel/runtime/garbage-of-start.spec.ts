import { setImmediate as turn } from 'node:timers/promises';
import { collectGarbageOfStart } from './garbage-of-start';

it('the garbage of a start is collected, and nothing can ask for that afterwards', async () => {
  const left = new WeakRef({ bytes: new Uint8Array(1_000) });
  // An object stays for the turn of the event loop that made a reference to it.
  await turn();
  collectGarbageOfStart();
  expect(left.deref()).toBeUndefined();
  expect(globalThis).not.toHaveProperty('gc');
});
