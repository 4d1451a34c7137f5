import { Budget } from './budget';

const NEVER = new AbortController().signal;

describe('the room for what waits to be stored', () => {
  const settled = async (promise: Promise<void>): Promise<boolean> => {
    const turn = new Promise((resolve) => setImmediate(resolve));
    return Promise.race([promise.then(() => true), turn.then(() => false)]);
  };

  it('is given in the order of asking, once it is free', async () => {
    const budget = new Budget(100);
    await budget.room(60, NEVER);
    // It is not full yet: one more may go beyond.
    await budget.room(60, NEVER);
    const order: string[] = [];
    const third = budget.room(1, NEVER).then(() => order.push('third'));
    const fourth = budget.room(1, NEVER).then(() => order.push('fourth'));
    expect(await settled(third.then(() => undefined))).toBe(false);
    budget.free(60);
    await Promise.all([third, fourth]);
    expect(order).toEqual(['third', 'fourth']);
  });

  it('lets one in that is larger than all of it, but not beside another', async () => {
    const budget = new Budget(100);
    await budget.room(1_000, NEVER);
    const next = budget.room(1, NEVER);
    expect(await settled(next)).toBe(false);
    budget.free(1_000);
    expect(await settled(next)).toBe(true);
  });

  it('is not waited for beyond the end, and then not held', async () => {
    const budget = new Budget(100);
    await budget.room(100, NEVER);
    const over = new AbortController();
    const gone = budget.room(50, over.signal);
    const next = budget.room(100, NEVER);
    over.abort();
    await expect(gone).rejects.toThrow('it was over before there was room');
    budget.free(100);
    expect(await settled(next)).toBe(true);
    expect(await settled(budget.room(1, NEVER))).toBe(false);
  });
});
