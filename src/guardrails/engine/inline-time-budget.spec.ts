import { InlineTimeBudget } from './inline-time-budget';

const KIB = 1024;

describe('the budget of a search', () => {
  it('begins with short texts, and takes longer ones when it has shown to be fast', () => {
    const budget = new InlineTimeBudget();
    expect(budget.inlineLimit).toBe(4 * KIB);
    for (let i = 0; i < 63; i++) budget.recordSearch(4 * KIB, 0.04);
    expect(budget.inlineLimit).toBe(4 * KIB);
    budget.recordSearch(4 * KIB, 0.04);
    expect(budget.inlineLimit).toBe(80 * KIB);
  });

  it('leaves texts to other threads once it was slow twice, and tries again after a minute', () => {
    let now = 0;
    const budget = new InlineTimeBudget(() => now);
    for (let i = 0; i < 100; i++) budget.recordSearch(4 * KIB, 0.04);
    for (let i = 0; i < 8; i++) budget.recordSearch(4 * KIB, 12);
    expect(budget.inlineLimit).toBe(4 * KIB);
    budget.recordSearch(4 * KIB, 12);
    expect(budget.inlineLimit).toBe(512);
    now = 59_999;
    expect(budget.inlineLimit).toBe(512);
    now = 60_001;
    expect(budget.inlineLimit).toBe(4 * KIB);
  });

  it('leaves them at once when others had to wait long', () => {
    const budget = new InlineTimeBudget(() => 0);
    for (let i = 0; i < 100; i++) budget.recordSearch(4 * KIB, 0.04);
    budget.recordSearch(80 * KIB, 140);
    expect(budget.inlineLimit).toBe(512);
  });

  it('forgives one pause', () => {
    const budget = new InlineTimeBudget();
    budget.recordSearch(4 * KIB, 60);
    expect(budget.inlineLimit).toBe(4 * KIB);
    for (let i = 0; i < 1_000; i++) budget.recordSearch(4 * KIB, 0.05);
    budget.recordSearch(4 * KIB, 60);
    expect(budget.inlineLimit).toBe(80 * KIB);
  });
});
