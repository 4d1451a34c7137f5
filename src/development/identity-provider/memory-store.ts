import type { Adapter, AdapterPayload } from 'oidc-provider';

/** Enough for any development day; the oldest rows go first, so a load test cannot eat the memory. */
const MAX_ROWS = 20_000;

interface Row {
  payload: AdapterPayload;
  expiresAt: number;
}

/**
 * Codes, grants, opaque tokens and sign-ins under way. It outlives the provider instance, which key rotation
 * replaces.
 *
 * Browser sessions are not kept: whoever develops signs in as one person now and another one next, so every
 * sign-in asks who it is.
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
      // Only sessions and device codes are looked up in these ways; neither is kept here.
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
