// Functions for numbers that all benches use.

export function median(values) {
  return quantile(values, 0.5);
}

export function quantile(values, share) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)];
}

/** With two decimals. */
export function rounded(value) {
  return Math.round(value * 100) / 100;
}

/** A whole number from the environment, or what is usual. */
export function bounded(name, fallback, min, max) {
  const value = Number(process.env[name] ?? fallback);
  return Number.isInteger(value) && value >= min && value <= max ? value : fallback;
}

/**
 * A list from the environment, separated by commas, or what is usual.
 * @throws when it has something that is not among `possible`
 */
export function listed(name, usual, possible) {
  const values = process.env[name]?.split(',').filter(Boolean) ?? usual;
  const unknown = values.filter((value) => possible?.includes(value) === false);
  if (unknown.length > 0) throw new Error(`${name}: ${unknown.join()} is none of ${possible.join()}`);
  return values;
}
