/** One series of metrics in Prometheus's text format. */
export interface ScrapedSeries {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const LINE = /^(?<name>[a-zA-Z_:][\w:]*)(?:\{(?<labels>.*)\})? (?<value>\S+)$/;
const LABEL = /(?<label>[a-zA-Z_]\w*)="(?<text>(?:[^"\\]|\\.)*)"/g;

/** Reads the text format of Prometheus. @throws on a line that has another form */
export function parseScrape(text: string): ScrapedSeries[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const { name, labels = '', value } = LINE.exec(line)?.groups ?? {};
      if (name === undefined) throw new Error(`not a series: ${line}`);
      const pairs = [...labels.matchAll(LABEL)].map(({ groups }) => [groups?.['label'], groups?.['text']]);
      if (labels !== pairs.map(([label, found]) => `${label}="${found}"`).join(','))
        throw new Error(`not labels: ${line}`);
      return { name, labels: Object.fromEntries(pairs) as Record<string, string>, value: Number(value) };
    });
}

/** The series that a gateway shows on that port. */
export async function scrapeMetrics(port: string): Promise<ScrapedSeries[]> {
  const response = await fetch(`http://127.0.0.1:${port}/metrics`);
  if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
  return parseScrape(await response.text());
}

/** Returns the sum of all series that have this name and these labels. */
export function sumOf(
  series: readonly ScrapedSeries[],
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number {
  return series
    .filter((one) => one.name === name)
    .filter((one) => Object.entries(labels).every(([label, value]) => one.labels[label] === value))
    .reduce((sum, { value }) => sum + value, 0);
}
