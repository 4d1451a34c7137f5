import type { Adapter, AdapterPayload } from 'oidc-provider';

/** Maximum number of rows. The oldest rows are dropped first, so a load test cannot exhaust the memory. */
const MAX_ROWS = 20_000;

interface Row {
  payload: AdapterPayload;
  expiresAt: number;
}

/**
 * Stores codes, grants, opaque tokens and unfinished sign-ins. It survives a key rotation, which replaces the
 * provider instance.
 *
 * Browser sessions are not stored: a developer signs in as different people one after another, so every
 * sign-in asks for the user.
 */
export class MemoryStore {
  private readonly rows = new Map<string, Row>();

  /** The store for one of the library's models. */
  adapter(model: string): Adapter {
    const keyOf = (id: string) => `${model}:${id}`;
    const forgetful = model === 'Session';
    return {
      upsert: async (id, payload, expiresIn) => {
        if (!forgetful) this.put(keyOf(id), payload, expiresIn);
      },
      find: async (id) => this.get(keyOf(id)),
      consume: async (id) => {
        const payload = this.get(keyOf(id));
        if (payload) payload.consumed = Math.floor(Date.now() / 1000);
      },
      destroy: async (id) => {
        this.rows.delete(keyOf(id));
      },
      revokeByGrantId: async (grantId) => this.revoke(`${model}:`, grantId),
      // The library uses these only for sessions and device codes, which are not kept here.
      findByUid: async () => undefined,
      findByUserCode: async () => undefined,
    };
  }

  private put(key: string, payload: AdapterPayload, expiresIn: number | undefined): void {
    const expiresAt = expiresIn === undefined ? Infinity : Date.now() + expiresIn * 1000;
    this.rows.delete(key);
    this.rows.set(key, { payload, expiresAt });
    const oldest = this.rows.keys().next().value;
    if (this.rows.size > MAX_ROWS && oldest !== undefined) this.rows.delete(oldest);
  }

  private get(key: string): AdapterPayload | undefined {
    const row = this.rows.get(key);
    if (row === undefined || row.expiresAt > Date.now()) return row?.payload;
    this.rows.delete(key);
    return undefined;
  }

  private revoke(prefix: string, grantId: string): void {
    for (const [key, { payload }] of this.rows) {
      if (key.startsWith(prefix) && payload.grantId === grantId) this.rows.delete(key);
    }
  }
}
