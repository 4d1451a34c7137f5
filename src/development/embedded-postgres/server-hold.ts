import { resolve } from 'node:path';
import { Client } from 'pg';

/** Key of the advisory lock. Any number works, if it is the same in every gateway. */
const LOCK = 7_263_514;

/**
 * The lock by which a gateway keeps a server running: a session with a shared advisory lock. So the server
 * itself knows which gateways use it, and the lock of a killed gateway ends with its connection.
 */
export class ServerHold {
  private constructor(
    private readonly client: Client,
    private readonly url: string,
  ) {}

  private open = true;
  private leaving = false;

  /**
   * Takes the lock. Waits while the last holder decides whether to stop the server. Throws if the server
   * stops, which breaks the connection, or if a server of another cluster listens on the port.
   */
  static async takeHold(url: string, cluster: string, onLost: () => void): Promise<ServerHold> {
    const client = await connect(url);
    const hold = new ServerHold(client, url);
    client.on('end', () => {
      hold.open = false;
      if (!hold.leaving) onLost();
    });
    try {
      const { rows } = await client.query<{ data_directory: string }>('SHOW data_directory');
      // Compare resolved paths, because on Windows the server returns the path with different slashes.
      if (resolve(rows[0]?.data_directory ?? '') !== resolve(cluster))
        throw new Error('another server listens on the port');
      await client.query('SET idle_session_timeout = 0; SET lock_timeout = 10000');
      await client.query(`SELECT pg_advisory_lock_shared(${LOCK})`);
    } catch (error) {
      await hold.release();
      throw error;
    }
    // `unref`, so that this connection alone does not keep the gateway's process alive.
    (client as Client & { unref(): void }).unref();
    return hold;
  }

  /**
   * Releases the lock. Returns true if no other process holds it. No process can then take it until
   * `release`.
   */
  async isLast(): Promise<boolean> {
    this.leaving = true;
    if (!this.open) return isUnclaimed(this.url);
    (this.client as Client & { ref(): void }).ref();
    try {
      await this.client.query(`SELECT pg_advisory_unlock_shared(${LOCK})`);
      const { rows } = await this.client.query<{ won: boolean }>(
        `SELECT pg_try_advisory_lock(${LOCK}) AS won`,
      );
      return rows[0]?.won === true;
    } catch {
      return isUnclaimed(this.url);
    }
  }

  async release(): Promise<void> {
    this.leaving = true;
    await this.client.end().catch(() => undefined);
  }
}

/** Whether no process holds the lock, after this process lost its own. True if the server has stopped. */
async function isUnclaimed(url: string): Promise<boolean> {
  try {
    return await withClient(url, async (client) => {
      const { rows } = await client.query<{ won: boolean }>(`SELECT pg_try_advisory_lock(${LOCK}) AS won`);
      return rows[0]?.won === true;
    });
  } catch {
    return true;
  }
}

/** Runs the work with a database connection of its own. */
export async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = await connect(url);
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function connect(url: string): Promise<Client> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: 5_000,
    application_name: 'access-gateway launcher',
    keepAlive: true,
  });
  // A broken connection is reported by the query and by this event; without a
  // listener the event would end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return client;
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
}
