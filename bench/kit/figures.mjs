// Functions for numbers that all benches use.

export function median(values) {
  return quantile(values, 0.5);
}

export function quantile(values, share) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)];
}

/** Rounds to two decimals. */
export function rounded(value) {
  return Math.round(value * 100) / 100;
}

/** Returns a whole number from the environment, or the fallback when it is missing or out of range. */
export function bounded(name, fallback, min, max) {
  const value = Number(process.env[name] ?? fallback);
  return Number.isInteger(value) && value >= min && value <= max ? value : fallback;
}

/**
 * Returns a comma-separated list from the environment, or the usual list when the variable is not set.
 * @throws when a value is not one of `possible`
 */
export function listed(name, usual, possible) {
  const values = process.env[name]?.split(',').filter(Boolean) ?? usual;
  const unknown = values.filter((value) => possible?.includes(value) === false);
  if (unknown.length > 0) throw new Error(`${name}: ${unknown.join()} is none of ${possible.join()}`);
  return values;
}
