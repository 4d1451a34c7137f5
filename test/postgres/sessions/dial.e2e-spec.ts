import { once } from 'node:events';
import { type AddressInfo, type Server, type Socket, connect as connectTcp, createServer } from 'node:net';
import { Client } from 'pg';
import { describeGuardedPath } from '../../support/describe';
import { eventually } from '../../support/eventually';
import { entries } from '../../support/guarded-path';
import { secretOf } from '../../support/target';
import { WireClient, fieldsOf } from '../../support/wire-client';
import * as wire from '../../support/wire-messages';

/** A connection that the gateway opened to the fake target, with the bytes that arrived on it. */
interface Knock {
  readonly socket: Socket;
  heard: Buffer;
}

/** Tests that the gateway dials a target only after the session is recorded, and never before. */
describeGuardedPath('a target', ({ path }) => {
  let door: Server;
  const knocks: Knock[] = [];

  beforeAll(async () => {
    door = createServer((socket) => {
      const knock: Knock = { socket, heard: Buffer.alloc(0) };
      socket
        .on('error', () => undefined)
        .on('data', (bytes) => (knock.heard = Buffer.concat([knock.heard, bytes])));
      knocks.push(knock);
    });
    door.listen(0, '127.0.0.1');
    await once(door, 'listening');
  });

  afterEach(() => {
    for (const { socket } of knocks.splice(0)) socket.destroy();
  });

  afterAll(() => door.close());

  const secret = (): Record<string, string> => ({
    ...secretOf(path.target),
    PORT: String((door.address() as AddressInfo).port),
  });

  /** Creates a connection to the fake target, under these rules. Returns its name. */
  async function connection(name: string, rules?: object): Promise<string> {
    const id = await path.connect(name, { secret: secret() });
    if (rules !== undefined)
      await path.gateway.call('admin', 'POST', '/guardrails', { name, connection_ids: [id], ...rules });
    return name;
  }

  /** Prevents the recording of sessions until `release`. */
  async function held(): Promise<{ isWaitedFor: () => Promise<boolean>; release: () => Promise<void> }> {
    const client = new Client({ connectionString: path.gateway.database.url });
    await client.connect();
    await client.query('BEGIN; LOCK TABLE sessions IN SHARE MODE');
    // Compares the database too, because a table has the same id in all clones of a database.
    const waits = `SELECT FROM pg_locks WHERE relation = 'sessions'::regclass AND NOT granted
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
    return {
      isWaitedFor: async () => (await path.gateway.database.query(waits)).length > 0,
      release: () => client.end(),
    };
  }

  const knocked = (): Promise<Knock> => eventually('the gateway knocks', async () => knocks[0]);
  const isClosed = ({ socket }: Knock) =>
    eventually('the door is closed', async () => socket.readableEnded || socket.closed);

  /** Connects the gateway's connection to the real target, and forwards bytes in both directions. */
  function letIn({ socket, heard }: Knock): void {
    const target = connectTcp(Number(secretOf(path.target)['PORT']), '127.0.0.1');
    target.on('error', () => undefined).on('close', () => socket.destroy());
    target.write(heard);
    socket
      .removeAllListeners('data')
      .on('close', () => target.destroy())
      .pipe(target)
      .pipe(socket);
  }

  /** Checks that the gateway does not dial. Waits longer than dialing takes. */
  const expectNoKnock = async (): Promise<void> => {
    await new Promise((wait) => setTimeout(wait, 300));
    expect(knocks).toEqual([]);
  };

  it.each<[string, Record<string, string>]>([
    ['no settings', {}],
    ['settings', { application_name: 'reports', options: '-c work_mem=7MB' }],
  ])('is dialled once the session of a client with %s is recorded', async (_, settings) => {
    const name = await connection(`door-${Object.keys(settings).length}`);
    const hold = await held();
    const entering = WireClient.tried(path.gateway, name, 'admin', settings);
    try {
      await eventually('the session waits to be recorded', hold.isWaitedFor);
      await expectNoKnock();
    } finally {
      await hold.release();
    }
    const knock = await knocked();
    await eventually('the target hears something', async () => knock.heard.length > 0);
    const found = await path.gateway.database.query(`SELECT FROM sessions WHERE connection_name = $1`, [
      name,
    ]);
    expect(found).toHaveLength(1);
    letIn(knock);
    const client = await entering;
    expect(await client.ask(wire.query('SELECT 1'))).toContain('D 1');
    expect(knocks).toHaveLength(1);
    client.close();
    await isClosed(knock);
  });

  it('is not dialled when a rule refuses the settings', async () => {
    const name = await connection('refused', { input: entries({ type: 'sql_statement', kinds: ['set'] }) });
    const client = await WireClient.tried(path.gateway, name, 'admin', { options: '-c work_mem=7MB' });
    expect(fieldsOf(client.greeting.at(-1) as never)).toMatchObject({ C: '42501' });
    expect(knocks).toEqual([]);
  });

  it('is not dialled when the session cannot be recorded', async () => {
    const name = await connection('unrecorded');
    await path.gateway.database.query(
      `ALTER TABLE sessions ADD CONSTRAINT sessions_test_check CHECK (connection_name <> '${name}') NOT VALID`,
    );
    try {
      const client = await WireClient.tried(path.gateway, name);
      expect(fieldsOf(client.greeting.at(-1) as never)).toMatchObject({ S: 'FATAL' });
      expect(knocks).toEqual([]);
    } finally {
      await path.gateway.database.query('ALTER TABLE sessions DROP CONSTRAINT sessions_test_check');
    }
  });

  it('is not dialled for a client that is not admitted', async () => {
    const name = await connection('closed');
    await path.gateway.call('admin', 'PATCH', `/connections/${name}`, { access_mode_connect: 'disabled' });
    const client = await WireClient.tried(path.gateway, name);
    expect(fieldsOf(client.greeting.at(-1) as never)).toMatchObject({ S: 'FATAL' });
    expect(knocks).toEqual([]);
  });
});
