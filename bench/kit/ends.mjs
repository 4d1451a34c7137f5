// Stops the processes that a bench started when the bench is done, when it fails, and at Ctrl-C.

const ends = [];
let ending;

/**
 * @param end stops what was started; runs once
 * @returns a function that runs `end` earlier, if it has not run yet
 */
export function onEnd(end) {
  let ended;
  const once = () => (ended ??= Promise.resolve().then(end));
  ends.push(once);
  return once;
}

/**
 * Stops everything in reverse order. An error does not prevent the other stops; the first error is thrown at
 * the end.
 */
export function endAll() {
  return (ending ??= endEach());
}

async function endEach() {
  const faults = [];
  for (let end = ends.pop(); end !== undefined; end = ends.pop())
    await end().catch((fault) => faults.push(fault));
  if (faults.length > 0) throw faults[0];
}
