import { LOG_LEVELS } from '../protocol/methods';

/**
 * The log level of a legacy session, which all its requests share: the least severe level that a request
 * wanted so far. Each request still receives only messages of its own level or above.
 */
export class SessionLogLevel {
  private level: string | undefined;
  private setting: Promise<unknown> = Promise.resolve();

  /** @param set sends the level to the server; its result (whether the server agreed) is ignored */
  constructor(private readonly set: (level: string) => Promise<boolean>) {}

  want(level: string): Promise<unknown> {
    if (this.level === undefined || rank(level) < rank(this.level)) {
      this.level = level;
      this.setting = this.setting.then(() => this.set(level));
    }
    return this.setting;
  }
}

function rank(level: string): number {
  return (LOG_LEVELS as readonly string[]).indexOf(level);
}
