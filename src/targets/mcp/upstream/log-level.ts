import { LOG_LEVELS } from '../protocol/methods';

/**
 * The log level of a legacy session, which all requests of the session share: the least severe one that was
 * wanted so far. Each request is shown only what it wants.
 */
export class SessionLogLevel {
  private level: string | undefined;
  private setting: Promise<unknown> = Promise.resolve();

  /** @param set asks the server; what it answers changes nothing */
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
