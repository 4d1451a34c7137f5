/** Chance of a jump at each reading of a clock. */
const CHANCE = 0.3;
/** Longest jump in milliseconds: longer than most limits within which a test may expect something. */
const LONGEST_MS = 600;

/**
 * Lets the clocks of this process jump forward when they are read, as on a machine that stops the process
 * anywhere for a while. A test that expects something within a time limit fails with it, and must stop the
 * clock (test/support/still-clock.ts) or wait for an event. `Date.now()` and `performance.now()` jump
 * together; timers and `new Date()` keep the machine's time.
 */
exports.jumpingClock = () => {
  let ahead = 0;
  const jump = () => {
    if (Math.random() < CHANCE) ahead += Math.random() * LONGEST_MS;
    return ahead;
  };
  const [elapsed, date] = [performance.now.bind(performance), Date.now];
  performance.now = () => elapsed() + jump();
  Date.now = () => Math.round(date() + jump());
};
