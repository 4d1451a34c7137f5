import { join } from 'node:path';

interface TestFile {
  readonly path: string;
}

interface Sequencer {
  sort(tests: readonly TestFile[]): TestFile[];
}

const FileSequencer = require(join(__dirname, 'sequencer.cjs')) as new (options: object) => Sequencer;

const FILES = Array.from({ length: 40 }, (_, n) => `/root/test/${n}.spec.ts`);

/** The order of files with `--randomize` and this seed, for a checkout in this folder. */
function orderOf(seed: number, rootDir = '/root'): string[] {
  const sequencer = new FileSequencer({ contexts: [], globalConfig: { randomize: true, seed, rootDir } });
  const tests = FILES.map((file) => ({ path: file.replace('/root', rootDir) }));
  return sequencer.sort(tests).map(({ path }) => path.replace(rootDir, '/root'));
}

describe('files in random order', () => {
  it('are all there, in the same order for the same seed, wherever the checkout is', () => {
    expect(orderOf(1).toSorted()).toEqual(FILES.toSorted());
    expect(orderOf(1)).toEqual(orderOf(1, '/elsewhere/clone'));
  });

  it('come in another order for another seed', () => {
    expect(orderOf(1)).not.toEqual(orderOf(2));
    expect(orderOf(1)).not.toEqual(FILES);
  });
});
