import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { ChangeFeed } from '../database/change-feed';
import { messageOf } from '../kernel/app-error';
import { CancelBroadcast } from './cancel-broadcast';

/** Protocol 3.0 knows no other length; of 3.2 PostgreSQL's own server issues this many. */
const KEY_BYTES = { 0: 4, 2: 32 } as const;
const PROCESS_IDS = 2 ** 31;
/** What a cancel looks like on the change feed: `cancels:<process id>:<SHA-256 of the key>`. The key itself goes nowhere. */
const TABLE = 'cancels';
const ID = /^(\d{1,10}):([0-9a-f]{64})$/;

/** What BackendKeyData tells a client, until its session is over. */
export interface CancelKey {
  /** 1 … 2³¹ − 1; no process of ours or of the target. */
  readonly processId: number;
  /** 4 bytes for protocol 3.0, 32 for 3.2. */
  readonly key: Buffer;
  /** Nobody can cancel with it any more. */
  release(): void;
}

interface Issued {
  readonly keyHash: Buffer;
  readonly cancel: () => void;
}

/**
 * The keys with which clients cancel what their sessions run. A CancelRequest comes on a connection of its own,
 * without credentials, and may reach any gateway: the key is all that it proves, and nobody is told whether it fit.
 */
@Injectable()
export class CancelKeys {
  private readonly log = new Logger(CancelKeys.name);
  private readonly issued = new Map<number, Issued>();

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

  /** `cancel` is called once for each request that fits; the session knows whether anything runs. */
  issue(protocolMinor: 0 | 2, cancel: () => void): CancelKey {
    let processId = randomInt(1, PROCESS_IDS);
    while (this.issued.has(processId)) processId = randomInt(1, PROCESS_IDS);
    const key = randomBytes(KEY_BYTES[protocolMinor]);
    const issued = { keyHash: sha256(key), cancel };
    this.issued.set(processId, issued);
    const release = (): void => {
      // The number may be another session's by now.
      if (this.issued.get(processId) === issued) this.issued.delete(processId);
    };
    return { processId, key, release };
  }

  /**
   * What a CancelRequest asks for. Resolves, whatever came of it, once the other gateways have been told; never rejects.
   *
   * @param address of whoever asks, for the count of those that fit nothing here
   */
  async request(processId: number, key: Buffer, address: string): Promise<void> {
    // None of ours, at no gateway; it need not be told of.
    if (!Number.isInteger(processId) || processId < 1 || processId >= PROCESS_IDS) return;
    const keyHash = sha256(key);
    if (this.cancel(processId, keyHash)) return;
    await this.broadcast.tell(`${TABLE}:${processId}:${keyHash.toString('hex')}`, address);
  }

  /** Anybody who may NOTIFY can say anything. */
  private hear(id: string): void {
    const [, processId, keyHash] = ID.exec(id) ?? [];
    if (processId === undefined || keyHash === undefined) return;
    this.cancel(Number(processId), Buffer.from(keyHash, 'hex'));
  }

  /** Hashes are compared: of one length, and in a time that tells nothing about the key. */
  private cancel(processId: number, keyHash: Buffer): boolean {
    const issued = this.issued.get(processId);
    if (issued === undefined || !timingSafeEqual(issued.keyHash, keyHash)) return false;
    try {
      issued.cancel();
    } catch (error) {
      this.log.error(`A cancel failed: ${messageOf(error)}`);
    }
    return true;
  }
}

function sha256(data: Buffer): Buffer {
  return createHash('sha256').update(data).digest();
}
