import { type AddressInfo, createServer, type Socket } from 'node:net';
import { Client } from 'pg';
import { floodWith } from './flood';
import { drawMutation } from './mutations';
import { Draw } from './draw';
import { type Pump, startPump } from './pump';

const { WIRE_MESSAGES = '2000', WIRE_SEED = '1' } = process.env;

jest.setTimeout(1_200_000);

describe('a flood of broken messages', () => {
  const server = new URL(process.env['TEST_POSTGRES_URL'] ?? '');
  let pump: Pump | undefined;

  afterEach(async () => {
    await pump?.close();
    pump = undefined;
  });

  const serveGood = async (): Promise<void> => {
    const client = new Client({ connectionString: server.href });
    await client.connect();
    await client.query('SELECT 1');
    await client.end();
  };

  it('is survived by PostgreSQL itself, which hangs at none of them', async () => {
    const tally = await floodWith({
      port: Number(server.port),
      signIn: { connectionString: server.href },
      count: Number(WIRE_MESSAGES),
      seed: Number(WIRE_SEED),
      serveGood,
    });
    if (process.env['WIRE_FIGURES'] !== undefined)
      process.stdout.write(`${JSON.stringify({ ...tally, kinds: Object.fromEntries(tally.kinds) })}\n`);
    expect(tally.messages).toBeGreaterThanOrEqual(Number(WIRE_MESSAGES));
    expect(tally.outcomes).toMatchObject({ hung: 0, refused: 0 });
    expect(tally.outcomes.error).toBeGreaterThan(0);
  });

  it('finds a server that keeps connections open', async () => {
    pump = await startDeafServer();
    const { outcomes, badSeeds, connections } = await floodWith({
      port: pump.port,
      count: 20,
      seed: 1,
      serveGood: () => Promise.resolve(),
      limitMs: 200,
    });
    expect(connections).toBeGreaterThanOrEqual(20);
    expect(outcomes.hung).toBe(connections);
    expect(badSeeds).toHaveLength(connections);
  });

  it('finds who listens no more', async () => {
    pump = await startPump('127.0.0.1', 1);
    const { port } = pump;
    await pump.close();
    pump = undefined;
    const { outcomes, connections } = await floodWith({
      port,
      count: 5,
      seed: 1,
      serveGood: () => Promise.resolve(),
    });
    expect(connections).toBeGreaterThanOrEqual(5);
    expect(outcomes.refused).toBe(connections);
  });

  it('is the same at each run', () => {
    const drawn = (): unknown => {
      const draw = new Draw(7);
      return draw.times(200, () => drawMutation(draw, 'signed in'));
    };
    expect(drawn()).toEqual(drawn());
  });
});

/** Starts a server that reads all bytes, and neither answers nor closes. */
async function startDeafServer(): Promise<Pump> {
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => sockets.add(socket.resume()));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((closed) => server.close(closed));
    },
  };
}
