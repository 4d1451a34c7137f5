import { Injectable, Logger } from '@nestjs/common';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { DataSource } from 'typeorm';
import { ChangeFeed } from '../../database/change-feed';
import { messageOf } from '../../kernel/app-error';

const WINDOW_SECONDS = 10;
/** Application servers cancel by the hundred when a database stalls; guessing a key of 4 bytes at this pace takes years. */
const FROM_ONE_ADDRESS = 100;
const FROM_ALL = 500;
const EVERYBODY = 'all';

/**
 * Tells other gateways of cancels that fit no session here. Whoever reaches the port can make us do it, without
 * credentials, so it is bounded: by address, in all, and to one statement at a time, which takes all that wait.
 */
@Injectable()
export class CancelBroadcast {
  private readonly log = new Logger(CancelBroadcast.name);
  private readonly byAddress = new RateLimiterMemory({ points: FROM_ONE_ADDRESS, duration: WINDOW_SECONDS });
  private readonly inAll = new RateLimiterMemory({ points: FROM_ALL, duration: WINDOW_SECONDS });
  private waiting: string[] = [];
  private underWay: Promise<void> = Promise.resolve();

  constructor(
    private readonly feed: ChangeFeed,
    private readonly database: DataSource,
  ) {}

  /** Resolves when the payload is on its way to all gateways, or was dropped; never rejects. */
  async tell(payload: string, address: string): Promise<void> {
    // While we hear nothing the database is most likely away, and a cancel that comes late hits another statement.
    if (!this.feed.live || !(await this.isAllowed(address))) return;
    this.waiting.push(payload);
    // Whoever is first in line takes all that wait along; those behind find nothing left to do.
    this.underWay = this.underWay.then(() => this.send());
    await this.underWay;
  }

  /** An address that is over its own limit uses up nothing of what all share. */
  private async isAllowed(address: string): Promise<boolean> {
    try {
      await this.byAddress.consume(address);
      await this.inAll.consume(EVERYBODY);
      return true;
    } catch {
      return false;
    }
  }

  private async send(): Promise<void> {
    const payloads = this.waiting;
    this.waiting = [];
    if (payloads.length === 0) return;
    try {
      await this.database.query('SELECT pg_notify($1, payload) FROM unnest($2::text[]) AS payload', [
        ChangeFeed.CHANNEL,
        payloads,
      ]);
    } catch (error) {
      this.log.warn(`${payloads.length} cancels could not be passed on: ${messageOf(error)}`);
    }
  }
}
