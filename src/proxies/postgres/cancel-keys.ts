import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { ChangeFeed } from '../../platform/database/feed/change-feed';
import { messageOf } from '../../kernel/app-error';
import { resultWithin } from '../../kernel/async/timeout';
import { CancelBroadcast } from './cancel-broadcast';

/**
 * Length of a key by minor protocol version: 4 bytes in 3.0; 32 bytes in 3.2, as PostgreSQL itself issues.
 */
const KEY_BYTES = { 0: 4, 2: 32 } as const;
const MAX_INT32 = 2 ** 31 - 1;
/**
 * Form of a cancel request on the change feed:
 * `cancels:<process id>:<SHA-256 of the key>`. The key itself is never sent.
 */
const TABLE = 'cancels';
const ID = /^(-?\d{1,10}):([0-9a-f]{64})$/;

/** The content of BackendKeyData for one client, valid until its session ends. */
export interface CancelKey {
  /**
   * The target's process id; a random one where the target sent none. Several sessions may have the same id.
   */
  readonly processId: number;
  /** Random: 4 bytes for protocol 3.0, 32 for 3.2. */
  readonly key: Buffer;
  /** Makes the key invalid. */
  release(): void;
}

/**
 * Maximum time that a cancel request waits for the target's answer, because the client waits for this time
 * too.
 */
const TOLD_WITHIN_MS = 2_000;

interface Issued {
  readonly keyHash: Buffer;
  /** Cancels the running statement. If it returns a promise, the promise is awaited. */
  readonly cancel: () => unknown;
}

/**
 * The keys with which clients cancel the running statements of their sessions. A CancelRequest comes on its
 * own connection without credentials and may reach any gateway. The key is its only proof, and the gateway
 * does not reveal whether it knows the key.
 *
 * The process id is the target's, because clients compare it with `pg_backend_pid()` and with the sender of a
 * notification. Two targets may have the same process id, so only the key identifies the session.
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
        if (table === TABLE) this.receiveCancel(id);
      },
      reset: () => undefined,
    });
  }

  /**
   * Issues a key. `cancel` is called once for each cancel request with this key, even if no statement is
   * running.
   *
   * @param targetProcessId process id in the target's BackendKeyData; 0 where the target sent none
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
   * Handles a CancelRequest. Resolves once the request was passed to the target or to the other gateways, or
   * was dropped. Does not reveal whether the key was known. Never rejects.
   *
   * @param address address of the sender, by which requests with unknown keys are limited
   */
  async request(processId: number, key: Buffer, address: string): Promise<void> {
    // No gateway issues such a process id, so the request is dropped and not passed to other gateways.
    if (processId === 0 || !Number.isInteger(processId) || Math.abs(processId) > MAX_INT32) return;
    const keyHash = sha256(key);
    const cancelled = this.cancel(processId, keyHash);
    // Resolves after the cancel, because clients wait for this connection to close before they send their
    // next command. The cancel then cannot hit that command.
    if (cancelled !== undefined) return resultWithin(cancelled, TOLD_WITHIN_MS);
    await this.broadcast.sendCancel(`${TABLE}:${processId}:${keyHash.toString('hex')}`, address);
  }

  /** Handles a cancel request from the change feed. It is untrusted: anybody who may NOTIFY can send one. */
  private receiveCancel(id: string): void {
    const [, processId, keyHash] = ID.exec(id) ?? [];
    if (processId === undefined || keyHash === undefined) return;
    void this.cancel(Number(processId), Buffer.from(keyHash, 'hex'));
  }

  /**
   * Cancels the statement of the session with this key. Returns undefined when this gateway did not issue the
   * key; otherwise a promise that never rejects.
   */
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

/** Compares hashes of equal length in constant time, so that the duration reveals nothing about the key. */
function find(issued: Iterable<Issued>, keyHash: Buffer): Issued | undefined {
  for (const one of issued) if (timingSafeEqual(one.keyHash, keyHash)) return one;
  return undefined;
}

function sha256(data: Buffer): Buffer {
  return createHash('sha256').update(data).digest();
}
