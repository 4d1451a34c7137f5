import type { Target } from '../../gate/ports/target-directory';
import { FirstAbort } from '../../kernel/async/first-abort';
import { askedOfTarget } from './handshake/protocol-version';
import type { SignedInClient } from './signed-in-client';
import { type Upstream, dialUpstream } from './upstream';

/** Recording took unusually long: the target, or the time limit for dialling, may have given up meanwhile. */
const FRESH_MS = 2_000;

/** A connection on which nothing was sent yet. */
interface SilentConnection {
  readonly dialling: Promise<Upstream>;
  /** Lets the client's start-up message go, or closes the connection. */
  readonly allow: () => void;
  readonly forbid: (why: unknown) => void;
  readonly at: number;
}

/**
 * The way to the target of one client. The connection is opened while the session is being recorded, with TLS
 * where the target has it; nothing is sent on it until `dial`. So the target begins its work in the meantime.
 */
export class Approach {
  private readonly leaving = new AbortController();
  private readonly first: FirstAbort;
  private silent: SilentConnection | undefined;

  /** @param stopped aborts when the client must leave */
  constructor(
    private readonly client: SignedInClient,
    stopped: AbortSignal,
  ) {
    this.first = new FirstAbort([this.leaving.signal, stopped]);
  }

  /** Opens the connection. Never throws: what is wrong shows when the target is dialled. */
  begin(target: Target): void {
    if (target.clientProtocol !== 'postgresql') return;
    try {
      const secret = target.openSecret();
      let [allow, forbid]: [() => void, (why: unknown) => void] = [() => undefined, () => undefined];
      const permitted = new Promise<void>((...settle) => {
        [allow, forbid] = settle;
      });
      const dialling = this.dialled(secret, permitted);
      // Either may fail before anybody waits for it.
      for (const promise of [permitted, dialling]) promise.catch(() => undefined);
      this.silent = { dialling, allow, forbid, at: performance.now() };
    } catch {
      this.silent = undefined;
    }
  }

  /**
   * Signs in at the target. The session is recorded, and the settings of the
   * client's start-up message were admitted.
   * @param ended aborts when the session must end
   * @throws UpstreamRefused
   */
  async dial(secret: Readonly<Record<string, string>>, ended: AbortSignal): Promise<Upstream> {
    const leave = (): void => this.leave(ended.reason);
    ended.addEventListener('abort', leave);
    if (ended.aborted) leave();
    try {
      return await this.opened(secret);
    } finally {
      ended.removeEventListener('abort', leave);
      this.first.release();
    }
  }

  /** Closes what `dial` was not called for. Idempotent; afterwards nothing is dialled. */
  leave(reason: unknown = new Error('the session did not begin')): void {
    this.leaving.abort(reason);
    this.silent?.forbid(reason);
    this.first.release();
  }

  private opened(secret: Readonly<Record<string, string>>): Promise<Upstream> {
    const { silent } = this;
    if (silent === undefined) return this.dialled(secret);
    if (performance.now() - silent.at < FRESH_MS) {
      silent.allow();
      return silent.dialling;
    }
    silent.forbid(new Error('recording the session took too long'));
    return this.dialled(secret);
  }

  private dialled(secret: Readonly<Record<string, string>>, permitted?: Promise<void>): Promise<Upstream> {
    const { settings, protocol } = this.client;
    const greeting = { parameters: settings, protocolMinor: askedOfTarget(protocol) };
    return dialUpstream(
      secret,
      { ...greeting, ...(permitted === undefined ? {} : { permitted }) },
      this.first.signal,
    );
  }
}
