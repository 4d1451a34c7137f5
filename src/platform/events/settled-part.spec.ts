import { settledPart } from './settled-part';

describe('the part of the outbox whose order is final', () => {
  it.each([
    ['nothing', [], { after: 7, settled: 0 }, 0],
    ['what follows without a gap', [8, 9, 10], { after: 7, settled: 0 }, 3],
    ['only what is before a gap', [8, 10, 11], { after: 7, settled: 0 }, 1],
    ['nothing behind a gap at the beginning', [9, 10], { after: 7, settled: 7 }, 0],
    ['what is behind a gap that nobody can fill', [8, 10, 11], { after: 7, settled: 11 }, 3],
    ['up to the next gap that somebody may fill', [8, 10, 11, 12, 14], { after: 7, settled: 11 }, 4],
  ])('is %s', (_, positions, known, count) => {
    expect(settledPart(positions, known)).toBe(count);
  });
});
