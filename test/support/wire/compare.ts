import { isOtherFaultOfCopy, normalized, shown } from './normalize';
import { type Pipeline, explain } from './pipeline';
import { type Answer, PATIENCE_MS, runPipeline } from './run-pipeline';
import type { WireClient } from './wire-client';

/** The first difference between two answers to one pipeline. */
export interface Difference {
  readonly pipeline: Pipeline;
  /** Index of the first message that differs; the number of messages if only the ends differ. */
  readonly at: number;
  readonly direct: string;
  readonly through: string;
}

/**
 * Sends a pipeline with both clients and compares the answers byte for byte, without the parts that
 * `normalized` removes. The clients must be new, or must have sent the same pipelines before.
 */
export async function compare(
  direct: WireClient,
  through: WireClient,
  pipeline: Pipeline,
  patienceMs = PATIENCE_MS,
): Promise<Difference | undefined> {
  const [expected, actual] = await Promise.all([
    runPipeline(direct, pipeline, patienceMs),
    runPipeline(through, pipeline, patienceMs),
  ]);
  return difference(pipeline, expected, actual);
}

function difference(pipeline: Pipeline, expected: Answer, actual: Answer): Difference | undefined {
  const count = Math.max(expected.messages.length, actual.messages.length);
  for (let at = 0; at < count; at++) {
    const [one, other] = [expected.messages[at], actual.messages[at]];
    if (one !== undefined && other !== undefined) {
      const [left, right] = [normalized(one), normalized(other)];
      if (left.type === right.type && left.body.equals(right.body)) continue;
      if (isOtherFaultOfCopy(left, right)) continue;
    }
    return { pipeline, at, direct: shown(one), through: shown(other) };
  }
  const [left, right] = [expected, actual].map(({ outcome, torn }) => `${outcome}, ${torn} bytes torn`);
  if (left === right && expected.outcome !== 'hung') return undefined;
  return { pipeline, at: count, direct: left ?? '', through: right ?? '' };
}

/** Returns server parameters at sign-in that differ: `[name, direct value, value through the gateway]`. */
export function parameterDifferences(
  direct: WireClient,
  through: WireClient,
): [string, string | undefined, string | undefined][] {
  const names = new Set([...direct.parameters.keys(), ...through.parameters.keys()]);
  return [...names]
    .filter((name) => direct.parameters.get(name) !== through.parameters.get(name))
    .map((name) => [name, direct.parameters.get(name), through.parameters.get(name)]);
}

export function report({ pipeline, at, direct, through }: Difference): string {
  return `${explain(pipeline)}\nmessage ${at}\n  directly: ${direct}\n  through:  ${through}`;
}
