const { appendFileSync, readFileSync } = require('node:fs');

/** The kernel counts the processor time of ended children in hundredths of a second. */
const TICKS_PER_SECOND = 100;

/**
 * Starts to count the processor time of a test file: that of this worker, and of the child processes that end
 * meanwhile (Linux only). Without TEST_COSTS, counts nothing.
 * @returns a function that appends the cost to the file TEST_COSTS, as a line of JSON
 */
exports.countCost = (testPath) => {
  const report = process.env.TEST_COSTS;
  if (report === undefined) return () => undefined;
  const before = { own: ownSeconds(), children: childrenSeconds(), at: performance.now() };
  return () => {
    const line = {
      file: testPath,
      seconds: rounded((performance.now() - before.at) / 1000),
      own: rounded(ownSeconds() - before.own),
      children: rounded(childrenSeconds() - before.children),
    };
    appendFileSync(report, `${JSON.stringify(line)}\n`);
  };
};

function ownSeconds() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

function childrenSeconds() {
  try {
    const fields = readFileSync('/proc/self/stat', 'latin1').split(') ').at(-1).split(' ');
    return (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND;
  } catch {
    return 0;
  }
}

function rounded(seconds) {
  return Math.round(seconds * 100) / 100;
}
