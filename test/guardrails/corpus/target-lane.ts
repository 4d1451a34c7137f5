import type { Client } from 'pg';
import type { Effect } from './intent';
import { ask, TargetWorld } from './target-world';
import { TextRun } from './text-run';
import type { Variant } from './variants';

/** Runs variants on a real PostgreSQL, one after another, each on a restored database. */
export class TargetLane {
  private session: Client | undefined;

  private constructor(private readonly world: TargetWorld) {}

  static async open(): Promise<TargetLane> {
    return new TargetLane(await TargetWorld.create());
  }

  /** Whether the text, run as the gateway runs it, has the forbidden effect. */
  async hasEffect(variant: Variant): Promise<boolean> {
    const happened = variant.commits ? undefined : await this.hasEffectInTransaction(variant);
    return happened ?? this.hasLastingEffect(variant);
  }

  /** Like `hasEffect`, but in a separate session that may commit. Then restores the database. */
  async hasLastingEffect({ text, intent }: Pick<Variant, 'text' | 'intent'>): Promise<boolean> {
    const happened = await this.tryOut(text, intent.effect);
    if (intent.afterwards !== undefined) await this.world.change(intent.afterwards);
    return happened;
  }

  /** Like `hasLastingEffect`, but another user first runs `before`. */
  async tryOut(text: string, effect: Effect, before = ''): Promise<boolean> {
    await this.closeSession();
    if (before !== '') await this.world.change(before);
    const client = await this.world.connect();
    try {
      const output = await this.run(client, text);
      if (!('probe' in effect)) return await observe(client, effect, output);
      await client.end();
      return await this.world.ask(effect.probe);
    } finally {
      await client.end().catch(() => undefined);
      await this.world.renew();
    }
  }

  async close(): Promise<void> {
    await this.closeSession();
    await this.world.drop();
  }

  /**
   * Runs the text in a transaction and rolls it back, which is fast. Returns undefined if the text cannot run
   * in a transaction.
   */
  private async hasEffectInTransaction({ text, intent: { effect } }: Variant): Promise<boolean | undefined> {
    this.session ??= await this.world.connect();
    const client = this.session;
    try {
      await client.query('BEGIN');
      const before = await transactionOf(client);
      const output = await this.run(client, text);
      if (/cannot (run|be executed) (inside|from|within)/.test(output)) return undefined;
      const happened = await observe(client, effect, output);
      // If the text failed, there is no transaction id. A text that failed has changed nothing.
      const after = (await transactionOf(client)) ?? before;
      if (after !== before) throw new Error(`this variant commits, but does not say so: ${text}`);
      return happened;
    } finally {
      await client.query('ROLLBACK').catch(() => this.closeSession());
      await client.query('DISCARD ALL').catch(() => this.closeSession());
    }
  }

  private async run(client: Client, text: string): Promise<string> {
    const query = new TextRun(text.replaceAll('{dsn}', this.world.dsn));
    const onNotice: TextRun['handleNotice'] = (notice) => query.handleNotice(notice);
    client.on('notice', onNotice);
    client.query(query);
    await query.done;
    client.removeListener('notice', onNotice);
    return query.output;
  }

  private async closeSession(): Promise<void> {
    await this.session?.end().catch(() => undefined);
    this.session = undefined;
  }
}

async function observe(client: Client, effect: Effect, output: string): Promise<boolean> {
  if ('output' in effect) return output.includes(effect.output);
  return ask(client, 'session' in effect ? effect.session : effect.probe);
}

async function transactionOf(client: Client): Promise<string | undefined> {
  try {
    const { rows } = await client.query<{ id: string }>('SELECT pg_current_xact_id()::text AS id');
    return rows[0]?.id;
  } catch {
    return undefined;
  }
}
