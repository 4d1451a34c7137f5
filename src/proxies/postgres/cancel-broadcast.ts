import { Injectable, Logger } from '@nestjs/common';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { DataSource } from 'typeorm';
import { ChangeFeed } from '../../platform/database/feed/change-feed';
import { messageOf } from '../../kernel/app-error';

const WINDOW_SECONDS = 10;
/**
 * Maximum number of cancel requests from one address in 10 seconds. Application servers send hundreds when a
 * database stalls. Guessing a key of 4 bytes at this rate takes years.
 */
const FROM_ONE_ADDRESS = 100;
const FROM_ALL = 500;
const EVERYBODY = 'all';

/**
 * Sends cancel requests to the other gateways when this gateway did not issue their key. A client can trigger
 * this without credentials, so the number of requests is limited for each address and in total. One statement
 * sends all waiting requests, and only one statement runs at a time.
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

  /** Resolves when the payload has been sent to all gateways or dropped; never rejects. */
  async sendCancel(payload: string, address: string): Promise<void> {
    // Drops the request if the change feed is down, because the database is probably unreachable then, and a
    // late cancel would hit another statement.
    if (!this.feed.live || !(await this.isAllowed(address))) return;
    this.waiting.push(payload);
    // The next `send` sends all waiting payloads. Later calls in the queue then find nothing to send.
    this.underWay = this.underWay.then(() => this.send());
    await this.underWay;
  }

  /**
   * Whether the limits allow the request. A request over the limit of its address does not count towards the
   * shared limit.
   */
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
