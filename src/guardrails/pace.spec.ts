import { Pace } from './pace';

const KIB = 1024;

describe('the pace of a search', () => {
  it('begins with short texts, and takes longer ones when it has shown to be fast', () => {
    const pace = new Pace();
    expect(pace.inlineLimit).toBe(4 * KIB);
    for (let i = 0; i < 63; i++) pace.took(4 * KIB, 0.04);
    expect(pace.inlineLimit).toBe(4 * KIB);
    pace.took(4 * KIB, 0.04);
    expect(pace.inlineLimit).toBe(80 * KIB);
  });

  it('leaves texts to other threads once it was slow twice, and tries again after a minute', () => {
    let now = 0;
    const pace = new Pace(() => now);
    for (let i = 0; i < 100; i++) pace.took(4 * KIB, 0.04);
    for (let i = 0; i < 8; i++) pace.took(4 * KIB, 12);
    expect(pace.inlineLimit).toBe(4 * KIB);
    pace.took(4 * KIB, 12);
    expect(pace.inlineLimit).toBe(512);
    now = 59_999;
    expect(pace.inlineLimit).toBe(512);
    now = 60_001;
    expect(pace.inlineLimit).toBe(4 * KIB);
  });

  it('leaves them at once when others had to wait long', () => {
    const pace = new Pace(() => 0);
    for (let i = 0; i < 100; i++) pace.took(4 * KIB, 0.04);
    pace.took(80 * KIB, 140);
    expect(pace.inlineLimit).toBe(512);
  });

  it('forgives one pause', () => {
    const pace = new Pace();
    pace.took(4 * KIB, 60);
    expect(pace.inlineLimit).toBe(4 * KIB);
    for (let i = 0; i < 1_000; i++) pace.took(4 * KIB, 0.05);
    pace.took(4 * KIB, 60);
    expect(pace.inlineLimit).toBe(80 * KIB);
  });
});
