import { compareMany, type Findings } from './campaign';
import { report } from './compare';
import { generatePipeline } from './generate';
import type { WireMessage } from './messages';
import { type Pump, type Sabotage, startPump, whole } from './pump';
import { type TwinDatabases, twinDatabases } from './twin-databases';
import { volume } from '../volume';

const { WIRE_PIPELINES, WIRE_SEED = '1' } = process.env;
const PIPELINES = Number(WIRE_PIPELINES ?? volume(50, 150));
const SEED = Number(WIRE_SEED);

jest.setTimeout(240_000 + PIPELINES * 800);

describe('pipelines that are held against each other', () => {
  let twins: TwinDatabases;
  let pump: Pump | undefined;

  beforeAll(async () => {
    twins = await twinDatabases(process.env['TEST_POSTGRES_URL'] ?? '');
  });

  afterEach(async () => {
    await pump?.close();
    pump = undefined;
  });

  afterAll(() => twins.drop());

  const compared = async (port?: number, pipelines = PIPELINES, patienceMs?: number): Promise<Findings> => {
    const through = new URL(twins.urls[1]);
    if (port !== undefined) through.port = String(port);
    return compareMany({
      direct: { connectionString: twins.urls[0] },
      through: { connectionString: through.href },
      reset: () => twins.reset(),
      pipelines,
      seed: SEED,
      ...(patienceMs === undefined ? {} : { patienceMs }),
    });
  };

  const throughPump = async (sabotage?: () => Sabotage, pipelines?: number, patienceMs?: number) => {
    const { hostname, port } = new URL(twins.urls[1]);
    pump = await startPump(hostname, Number(port), sabotage);
    return compared(pump.port, pipelines, patienceMs);
  };

  const expectSame = (findings: Findings): void => {
    expect(findings.differences.map(report)).toEqual([]);
    expect(findings.parameters).toEqual([]);
    expect(findings.pipelines).toBe(PIPELINES);
    if (process.env['WIRE_FIGURES'] !== undefined)
      process.stdout.write(`${JSON.stringify({ ...findings, seen: Object.fromEntries(findings.seen) })}\n`);
  };

  it('differ in nothing between two servers that are equal', async () => expectSame(await compared()));

  it('differ in nothing through a pump', async () => expectSame(await throughPump()));

  it.each<[string, (message: WireMessage) => Buffer]>([
    [
      'a command that is never complete',
      (message) => (message.type === 'C' ? Buffer.alloc(0) : whole(message)),
    ],
    [
      'another transaction state',
      (message) => whole(message.type === 'Z' ? { ...message, body: Buffer.from('T') } : message),
    ],
    ['a notice that is lost', (message) => (message.type === 'N' ? Buffer.alloc(0) : whole(message))],
    [
      'a row that comes twice',
      (message) => (message.type === 'D' ? Buffer.concat([whole(message), whole(message)]) : whole(message)),
    ],
    [
      'an error with one field less',
      (message) => whole(message.type === 'E' ? withoutField(message, 'R') : message),
    ],
    [
      'a parameter that is not told',
      (message) => (message.type === 'S' && message.body.includes('Asia') ? Buffer.alloc(0) : whole(message)),
    ],
  ])('find %s', async (_, sabotage) => {
    const { differences } = await throughPump(() => afterSignIn(sabotage), 150, 1_000);
    expect(differences.length).toBeGreaterThan(0);
  });

  it('are made again from their seed', () => {
    expect(generatePipeline(4711)).toEqual(generatePipeline(4711));
    expect(generatePipeline(4711)).not.toEqual(generatePipeline(4712));
  });
});

/** Applies the sabotage (a change of server messages) only to messages after the sign-in. */
function afterSignIn(sabotage: Sabotage): Sabotage {
  let isSignedIn = false;
  return (message) => {
    const bytes = isSignedIn ? sabotage(message) : whole(message);
    isSignedIn ||= message.type === 'Z';
    return bytes;
  };
}

function withoutField({ type, body }: WireMessage, field: string): WireMessage {
  const fields = body
    .toString('latin1')
    .split('\0')
    .filter((each) => !each.startsWith(field));
  return { type, body: Buffer.from(fields.join('\0'), 'latin1') };
}
