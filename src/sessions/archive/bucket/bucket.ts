import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type ObjectVersion, hasObjectLock, bucketRefusal, versionsIn } from './bucket-answers';
import { BucketFault } from './bucket-fault';
import { type BucketRequest, BucketRequests, type BucketSettings } from './bucket-requests';

/** One stored version of an object. `versionId` is null in a bucket without versions. */
export interface ObjectPlace {
  readonly key: string;
  readonly versionId: string | null;
}

/** Facts about an object, as the bucket reports them. */
export interface ObjectFacts {
  readonly versionId: string | null;
  readonly size: number;
  /** SHA-256 of its content in base64; undefined if the bucket keeps none. */
  readonly sha256: string | undefined;
  /** End of the lock, before which the object cannot be removed; undefined if it is not locked. */
  readonly lockedUntil: Date | undefined;
}

/** Result of a put. `exists`: the bucket already has an object with this key, and left it unchanged. */
export type PutOutcome =
  | { readonly kind: 'stored'; readonly versionId: string | null }
  | { readonly kind: 'exists' };

const ANSWER_BYTES = 4 * 1024 * 1024;
const CHECKSUM = 'x-amz-checksum-sha256';

/** One bucket of S3-compatible object storage. All methods throw `BucketFault`. */
export class RecordingBucket {
  private readonly requests: BucketRequests;
  private readonly lockMode: string | undefined;

  constructor(readonly settings: BucketSettings) {
    this.requests = new BucketRequests(settings);
    this.lockMode = settings.lock === 'off' ? undefined : settings.lock.toUpperCase();
  }

  close(): void {
    this.requests.close();
  }

  /**
   * Stores an object unless the key is already in use. The bucket compares the content with its SHA-256.
   * @param until end of the lock; null: no lock
   */
  async put(key: string, body: Buffer, sha256: Buffer, until: Date | null): Promise<PutOutcome> {
    const checksum = sha256.toString('base64');
    const headers = {
      'if-none-match': '*',
      'content-type': 'application/octet-stream',
      'x-amz-sdk-checksum-algorithm': 'SHA256',
      [CHECKSUM]: checksum,
      ...(this.lockMode !== undefined &&
        until !== null && {
          'x-amz-object-lock-mode': this.lockMode,
          'x-amz-object-lock-retain-until-date': until.toISOString(),
        }),
    };
    const answer = await this.requests.send({ method: 'PUT', key, body, sha256, headers });
    if (answer.statusCode === 412) {
      await this.textOf(answer);
      return { kind: 'exists' };
    }
    await this.expectSuccess(answer);
    const kept = headerOf(answer, CHECKSUM);
    if (kept !== undefined && kept !== checksum)
      throw new BucketFault('wrong', 'stored other bytes than were sent: its checksum differs');
    return { kind: 'stored', versionId: versionOf(answer) };
  }

  /** Returns the facts about an object; undefined if there is no such object. */
  async head({ key, versionId }: ObjectPlace): Promise<ObjectFacts | undefined> {
    const answer = await this.requests.send({
      method: 'HEAD',
      key,
      query: versionQuery(versionId),
      headers: { 'x-amz-checksum-mode': 'ENABLED' },
    });
    if (answer.statusCode === 404) {
      await this.textOf(answer);
      return undefined;
    }
    await this.expectSuccess(answer);
    const size = Number(headerOf(answer, 'content-length') ?? Number.NaN);
    const until = headerOf(answer, 'x-amz-object-lock-retain-until-date');
    return {
      versionId: versionOf(answer) ?? versionId,
      size,
      sha256: headerOf(answer, CHECKSUM),
      lockedUntil: until === undefined ? undefined : new Date(until),
    };
  }

  /** Yields the bytes `from` to `to` of an object. Both offsets count from 0 and are inclusive. */
  async *read({ key, versionId }: ObjectPlace, from: number, to: number): AsyncGenerator<Buffer> {
    const answer = await this.requests.send({
      method: 'GET',
      key,
      query: versionQuery(versionId),
      headers: { range: `bytes=${from}-${to}` },
    });
    if (answer.statusCode === 404) {
      await this.textOf(answer);
      throw new BucketFault('wrong', 'does not have what was stored');
    }
    await this.expectSuccess(answer, false);
    if (answer.statusCode !== 206 && from > 0) {
      answer.destroy();
      throw new BucketFault('wrong', 'does not serve parts of an object');
    }
    let left = to - from + 1;
    for await (const bytes of this.requests.bytesOf(answer)) {
      left -= bytes.length;
      if (left < 0) throw new BucketFault('wrong', 'returned more bytes than were asked for');
      yield bytes;
    }
    if (left > 0) throw new BucketFault('wrong', 'returned fewer bytes than were stored');
  }

  /** Locks an object until `until`, unless it already has a longer lock. */
  async lockUntil(place: ObjectPlace, until: Date): Promise<void> {
    if (this.lockMode === undefined) return;
    const facts = await this.head(place);
    if (facts === undefined) throw new BucketFault('wrong', 'does not have what was stored');
    if (facts.lockedUntil !== undefined && facts.lockedUntil >= until) return;
    const xml = `<Retention xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Mode>${this.lockMode}</Mode><RetainUntilDate>${until.toISOString()}</RetainUntilDate></Retention>`;
    await this.putAbout(place, 'retention', xml);
  }

  async setLegalHold(place: ObjectPlace, isOn: boolean): Promise<void> {
    if (this.lockMode === undefined) return;
    const xml = `<LegalHold xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Status>${isOn ? 'ON' : 'OFF'}</Status></LegalHold>`;
    await this.putAbout(place, 'legal-hold', xml);
  }

  /**
   * Returns up to 1 000 versions of the objects whose keys begin with `prefix`. A response with other keys is
   * refused, because the caller removes all listed versions.
   */
  async versions(prefix: string): Promise<ObjectVersion[]> {
    const query = { versions: '', prefix };
    const answer = await this.requests.send({ method: 'GET', query });
    const found = versionsIn(await this.expectSuccess(answer));
    if (found.every(({ key }) => key.startsWith(prefix))) return found;
    throw new BucketFault('wrong', 'listed other objects than were asked for');
  }

  /** Removes a version for good. Returns false while it is locked. */
  async remove({ key, versionId }: ObjectPlace): Promise<boolean> {
    const answer = await this.requests.send({ method: 'DELETE', key, query: versionQuery(versionId) });
    const body = await this.textOf(answer);
    const status = answer.statusCode ?? 0;
    if (status === 404 || (status >= 200 && status < 300)) return true;
    if (status === 403 && this.lockMode !== undefined) return false;
    throw bucketRefusal(status, body);
  }

  /** Whether the bucket was made with Object Lock. */
  async isLockable(): Promise<boolean> {
    const answer = await this.requests.send({ method: 'GET', query: { 'object-lock': '' } });
    const body = await this.textOf(answer);
    if (answer.statusCode === 404 && /ObjectLockConfigurationNotFound/.test(body)) return false;
    if (answer.statusCode !== 200) throw bucketRefusal(answer.statusCode ?? 0, body);
    return hasObjectLock(body);
  }

  private async putAbout({ key, versionId }: ObjectPlace, what: string, xml: string): Promise<void> {
    const body = Buffer.from(xml);
    const request: BucketRequest = {
      method: 'PUT',
      key,
      query: { [what]: '', ...versionQuery(versionId) },
      headers: {
        'content-type': 'application/xml',
        'content-md5': createHash('md5').update(body).digest('base64'),
      },
      body,
    };
    await this.expectSuccess(await this.requests.send(request));
  }

  /**
   * Throws a fault for an error status. Otherwise returns the body. If `reads` is false, returns an empty
   * text, and the caller must read the body.
   */
  private async expectSuccess(answer: IncomingMessage, reads = true): Promise<string> {
    const status = answer.statusCode ?? 0;
    const isSuccess = status >= 200 && status < 300;
    if (isSuccess && !reads) return '';
    const body = await this.textOf(answer);
    if (!isSuccess) throw bucketRefusal(status, body);
    return body;
  }

  private async textOf(answer: IncomingMessage): Promise<string> {
    const parts: Buffer[] = [];
    let size = 0;
    for await (const bytes of this.requests.bytesOf(answer)) {
      size += bytes.length;
      if (size > ANSWER_BYTES) throw new BucketFault('wrong', 'gave an answer that is too long');
      parts.push(bytes);
    }
    return Buffer.concat(parts).toString();
  }
}

function versionQuery(versionId: string | null): Record<string, string> {
  return versionId === null ? {} : { versionId };
}

function versionOf(answer: IncomingMessage): string | null {
  return headerOf(answer, 'x-amz-version-id') ?? null;
}

function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}
