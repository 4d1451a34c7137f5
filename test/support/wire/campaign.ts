import { type Difference, compare, parameterDifferences } from './compare';
import { Draw } from './draw';
import { endsConnection, generatePipeline, type GenerateOptions } from './generate';
import type { WireMessage } from './messages';
import { PATIENCE_MS } from './run-pipeline';
import { WireClient, type WireConfig } from './wire-client';

export interface Campaign {
  readonly direct: WireConfig;
  /** Settings to connect through the gateway. Each connection uses one of them at random. */
  readonly through: WireConfig | readonly [WireConfig, ...WireConfig[]];
  /** Makes both targets equal again. Called before each pipeline. */
  readonly reset: () => Promise<void>;
  /** Number of drawn pipelines. */
  readonly pipelines: number;
  /** Seeds of pipelines that are tried before the drawn ones. */
  readonly examples?: readonly number[];
  /** Seed of the first drawn pipeline. The seed of each further pipeline is higher by one. */
  readonly seed: number;
  readonly options?: GenerateOptions;
  /** Number of differences after which the campaign ends; default 3. */
  readonly mostDifferences?: number;
  /** Time limit of an answer, in ms. */
  readonly patienceMs?: number;
}

export interface Findings {
  pipelines: number;
  /** Number of messages that the server sent to the direct client. */
  messages: number;
  bytes: number;
  connections: number;
  /** Number of messages of each type from the server, and of errors of each SQLSTATE. */
  readonly seen: Map<string, number>;
  readonly differences: Difference[];
  /** Server parameters at sign-in that differ: `[name, direct value, value through the gateway]`. */
  readonly parameters: [string, string | undefined, string | undefined][];
}

/**
 * Seeds whose pipelines (with `withoutDoubt`) cause every type of server message. A few random pipelines may
 * miss the rare types.
 */
export const EXAMPLES: readonly number[] = [113, 3, 14];
/** Types of the messages that a server sends after the sign-in. */
export const MESSAGES_OF_A_SERVER: readonly string[] = [...'123CDGHINSTZcdnst'];

/** Average number of pipelines on one connection, if no pipeline ends it. */
const PIPELINES_OF_A_CONNECTION = 20;

/** Sends pipelines to the server directly and through the gateway, and collects differing answers. */
export async function compareMany(campaign: Campaign): Promise<Findings> {
  const { examples = [], seed, pipelines, options, mostDifferences = 3, patienceMs = PATIENCE_MS } = campaign;
  const seeds = [...examples, ...Array.from({ length: pipelines }, (_, number) => seed + number)];
  const findings: Findings = {
    pipelines: 0,
    messages: 0,
    bytes: 0,
    connections: 0,
    seen: new Map(),
    differences: [],
    parameters: [],
  };
  const draw = new Draw(seed);
  let clients: readonly [WireClient, WireClient] | undefined;
  for (const seedOfOne of seeds) {
    if (findings.differences.length >= mostDifferences) break;
    await campaign.reset();
    clients ??= await connectBoth(campaign, findings, draw);
    const pipeline = generatePipeline(seedOfOne, options);
    const difference = await compare(...clients, pipeline, patienceMs);
    count(findings, clients[0]);
    if (difference !== undefined) findings.differences.push(difference);
    if (difference === undefined && !endsConnection(pipeline) && !draw.once(PIPELINES_OF_A_CONNECTION))
      continue;
    await Promise.all(clients.map((client) => client.close()));
    clients = undefined;
  }
  await Promise.all(clients?.map((client) => client.close()) ?? []);
  return findings;
}

async function connectBoth({ direct, through }: Campaign, findings: Findings, draw: Draw) {
  const config = 'length' in through ? draw.pick(through) : through;
  const clients = await Promise.all([WireClient.connect(direct), WireClient.connect(config)] as const);
  findings.connections += 1;
  if (findings.parameters.length === 0) findings.parameters.push(...parameterDifferences(...clients));
  return clients;
}

function count(findings: Findings, { messages }: WireClient): void {
  findings.pipelines += 1;
  findings.messages += messages.length;
  for (const message of messages) {
    findings.bytes += message.body.length;
    const kind = message.type === 'E' ? `E ${sqlState(message)}` : message.type;
    findings.seen.set(kind, (findings.seen.get(kind) ?? 0) + 1);
  }
}

function sqlState({ body }: WireMessage): string {
  const field = body
    .toString('latin1')
    .split('\0')
    .find((each) => each.startsWith('C'));
  return field?.slice(1) ?? 'none';
}
