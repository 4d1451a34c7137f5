import { setTimeout as delay } from 'node:timers/promises';
import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { ChangeFeed } from '../../database/change-feed';
import { messageOf } from '../../kernel/app-error';
import { CancelBroadcast } from './cancel-broadcast';

/** Protocol 3.0 has keys of 4 bytes; in 3.2 PostgreSQL's own server issues 32. */
const KEY_BYTES = { 0: 4, 2: 32 } as const;
const MAX_INT32 = 2 ** 31 - 1;
/** What a cancel looks like on the change feed: `cancels:<process id>:<SHA-256 of the key>`. The key itself goes nowhere. */
const TABLE = 'cancels';
const ID = /^(-?\d{1,10}):([0-9a-f]{64})$/;

/** What BackendKeyData tells a client, until its session is over. */
export interface CancelKey {
  /** The target's own process id; a random one where the target told none. Several sessions may have the same. */
  readonly processId: number;
  /** Random: 4 bytes for protocol 3.0, 32 for 3.2. */
  readonly key: Buffer;
  /** Nobody can cancel with it any more. */
  release(): void;
}

/** A target that does not answer must not hold the client up. */
const TOLD_WITHIN_MS = 2_000;

interface Issued {
  readonly keyHash: Buffer;
  /** What it returns is waited for. */
  readonly cancel: () => unknown;
}

/**
 * The keys with which clients cancel what their sessions run. A CancelRequest comes on a connection of its own,
 * without credentials, and may reach any gateway: the key is all that it proves, and no answer says whether it fit.
 *
 * The process id is the target's, because clients compare it with `pg_backend_pid()` and with the sender of a
 * notification. Two targets may have the same: the secret alone decides which session is meant.
 */
@Injectable()
export class CancelKeys {
  private readonly log = new Logger(CancelKeys.name);
  private readonly issued = new Map<number, Set<Issued>>();

  constructor(
    feed: ChangeFeed,
    private readonly broadcast: CancelBroadcast,
  ) {
    feed.subscribe({
      changed: (table, id) => {
        if (table === TABLE) this.hear(id);
      },
      reset: () => undefined,
    });
  }

  /**
   * `cancel` is called once for each request that fits; the session knows whether anything runs.
   *
   * @param targetProcessId of the target's BackendKeyData; 0: it sent none
   */
  issue(targetProcessId: number, protocolMinor: 0 | 2, cancel: Issued['cancel']): CancelKey {
    const processId = targetProcessId === 0 ? randomInt(1, MAX_INT32) : targetProcessId;
    const others = this.issued.get(processId) ?? new Set<Issued>();
    let key = randomBytes(KEY_BYTES[protocolMinor]);
    while (find(others, sha256(key)) !== undefined) key = randomBytes(KEY_BYTES[protocolMinor]);
    const issued = { keyHash: sha256(key), cancel };
    this.issued.set(processId, others.add(issued));
    const release = (): void => {
      others.delete(issued);
      if (others.size === 0 && this.issued.get(processId) === others) this.issued.delete(processId);
    };
    return { processId, key, release };
  }

  /**
   * What a CancelRequest asks for. Resolves, whatever came of it, once the target, or the other gateways, have been told; never rejects.
   *
   * @param address of whoever asks, for the count of those that fit nothing here
   */
  async request(processId: number, key: Buffer, address: string): Promise<void> {
    // None of ours, at no gateway; it need not be told of.
    if (processId === 0 || !Number.isInteger(processId) || Math.abs(processId) > MAX_INT32) return;
    const keyHash = sha256(key);
    const cancelled = this.cancel(processId, keyHash);
    // Clients wait for the end of this connection, so that the cancel meets no later command of theirs.
    if (cancelled !== undefined)
      return Promise.race([cancelled, delay(TOLD_WITHIN_MS, undefined, { ref: false })]);
    await this.broadcast.tell(`${TABLE}:${processId}:${keyHash.toString('hex')}`, address);
  }

  /** Anybody who may NOTIFY can say anything. */
  private hear(id: string): void {
    const [, processId, keyHash] = ID.exec(id) ?? [];
    if (processId === undefined || keyHash === undefined) return;
    void this.cancel(Number(processId), Buffer.from(keyHash, 'hex'));
  }

  /** undefined where the key fits nothing of this gateway; otherwise never rejects. */
  private cancel(processId: number, keyHash: Buffer): Promise<void> | undefined {
    const issued = find(this.issued.get(processId) ?? [], keyHash);
    return issued && this.cancelIssued(issued);
  }

  private async cancelIssued(issued: Issued): Promise<void> {
    try {
      await issued.cancel();
    } catch (error) {
      this.log.error(`A cancel failed: ${messageOf(error)}`);
    }
  }
}

/** Hashes are compared: of one length, and in a time that tells nothing about the key. */
function find(issued: Iterable<Issued>, keyHash: Buffer): Issued | undefined {
  for (const one of issued) if (timingSafeEqual(one.keyHash, keyHash)) return one;
  return undefined;
}

function sha256(data: Buffer): Buffer {
  return createHash('sha256').update(data).digest();
}
