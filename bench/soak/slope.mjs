// Growth of a series, and the confidence in it.

/** Number of blocks whose means are compared. Consecutive samples are too similar to count as independent. */
const BLOCKS = 12;

/**
 * @param samples values with their times in ms, in order
 * @returns the growth of the value per hour, by least squares, and the standard error of the growth
 */
export function slopeOf(samples) {
  const size = Math.max(1, Math.floor(samples.length / BLOCKS));
  const blocks = [];
  for (let at = 0; at + size <= samples.length; at += size) {
    const block = samples.slice(at, at + size);
    blocks.push({
      hour: mean(block.map(({ at: ms }) => ms)) / 3_600_000,
      value: mean(block.map(({ value }) => value)),
    });
  }
  if (blocks.length < 3) return { perHour: Number.NaN, error: Number.NaN };
  const [hour, value] = [mean(blocks.map((block) => block.hour)), mean(blocks.map((block) => block.value))];
  const spread = sum(blocks.map((block) => (block.hour - hour) ** 2));
  const perHour = sum(blocks.map((block) => (block.hour - hour) * (block.value - value))) / spread;
  const rest = sum(blocks.map((block) => (block.value - value - perHour * (block.hour - hour)) ** 2));
  return { perHour, error: Math.sqrt(rest / (blocks.length - 2) / spread) };
}

function sum(values) {
  return values.reduce((total, each) => total + each, 0);
}

function mean(values) {
  return sum(values) / values.length;
}
