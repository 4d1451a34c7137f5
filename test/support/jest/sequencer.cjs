const { createHash } = require('node:crypto');
const path = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');

/**
 * `--randomize` of Jest shuffles the tests within a file. With this class it
 * shuffles the files too, by the same seed.
 */
module.exports = class extends Sequencer {
  #config;

  constructor(options) {
    super(options);
    this.#config = options.globalConfig;
  }

  sort(tests) {
    const { randomize, seed, rootDir } = this.#config;
    if (!randomize) return super.sort(tests);
    const placeOf = (test) => hashOf(`${seed} ${path.relative(rootDir, test.path)}`);
    const placed = tests.map((test) => ({ test, place: placeOf(test) }));
    return placed.sort((a, b) => (a.place < b.place ? -1 : 1)).map(({ test }) => test);
  }
};

function hashOf(text) {
  return createHash('sha256').update(text).digest('hex');
}
