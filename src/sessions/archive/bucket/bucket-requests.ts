import { createHash } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { AwsV4Signer } from 'aws4fetch';
import type { ArchiveSettings } from '../../../platform/config/groups';
import { ForbiddenAddress } from '../../../platform/outbound/checked-address';
import { CheckedConnections } from '../../../platform/outbound/checked-connections';
import { BucketFault } from './bucket-fault';
import { failOnUpgrade } from '../../../platform/outbound/refused-upgrades';

/** Settings of a bucket, with its address and credentials. */
export type BucketSettings = Omit<ArchiveSettings, 'url' | 'bucket' | 'accessKeyId' | 'secretAccessKey'> & {
  readonly url: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
};

export interface BucketRequest {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'DELETE';
  /**
   * Key of an object; absent for the bucket itself. It has only letters, digits and `/._-`, so it needs no
   * escapes.
   */
  readonly key?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  /** SHA-256 of the body, where it is known. */
  readonly sha256?: Buffer;
}

const HEADER_BYTES = 64 * 1024;

/**
 * Sends signed requests to one bucket (AWS Signature, version 4) over persistent connections. It connects
 * only to checked addresses, verifies certificates, and follows no redirects.
 */
export class BucketRequests {
  private readonly connections: CheckedConnections;
  private readonly base: URL;
  private readonly keys = new Map<string, ArrayBuffer>();
  private readonly over = new AbortController();

  constructor(private readonly settings: BucketSettings) {
    this.connections = new CheckedConnections(settings.allowedHosts);
    // Removes the limit of listeners, because each request in flight adds one.
    setMaxListeners(0, this.over.signal);
    const url = new URL(settings.url);
    if (settings.addressing === 'host') url.hostname = `${settings.bucket}.${url.hostname}`;
    else url.pathname = `/${settings.bucket}`;
    this.base = url;
  }

  /** Aborts all requests, including those in flight. */
  close(): void {
    this.over.abort();
    this.connections.close();
  }

  /**
   * Returns the response, of any status. The caller must read or destroy its body.
   * @throws BucketFault `unreachable` if no response comes in time
   */
  async send(asked: BucketRequest): Promise<IncomingMessage> {
    try {
      return await this.attempt(asked, true);
    } catch (error) {
      // The server closed a persistent connection just as it was used again, so there was no response. Repeat
      // the request: all requests of this class may be repeated.
      if (error instanceof StaleConnection) return this.attempt(asked, false);
      throw error;
    }
  }

  private async attempt(asked: BucketRequest, mayBeStale: boolean): Promise<IncomingMessage> {
    const { method, body } = asked;
    const { url, headers } = await this.signed(asked);
    return new Promise((resolve, reject) => {
      let call: ClientRequest | undefined;
      const failed = (error: Error): void => {
        clearTimeout(timer);
        const isStale =
          mayBeStale && call?.reusedSocket === true && (error as NodeJS.ErrnoException).code === 'ECONNRESET';
        reject(isStale ? new StaleConnection() : this.faultOf(error));
      };
      const timer = setTimeout(() => call?.destroy(new Silent()), this.timeoutMs);
      try {
        call = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
          method,
          headers: { ...headers, 'content-length': String(body?.length ?? 0) },
          agent: this.connections.agentFor(url),
          maxHeaderSize: HEADER_BYTES,
          signal: this.over.signal,
        });
      } catch (error) {
        return failed(error as Error);
      }
      call.on('error', failed);
      failOnUpgrade(call, failed);
      call.on('response', (response) => {
        clearTimeout(timer);
        resolve(response);
      });
      call.end(body);
    });
  }

  /** Yields the body of a response as it arrives. @throws BucketFault if it pauses too long or is cut off */
  async *bytesOf(answer: IncomingMessage): AsyncGenerator<Buffer> {
    const bytes = answer[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    try {
      for (;;) {
        // The timer runs only while the storage must send. A slow reader is not the fault of the storage.
        const timer = setTimeout(() => answer.destroy(new Silent()), this.timeoutMs);
        const next = await bytes.next().finally(() => clearTimeout(timer));
        if (next.done === true) return;
        yield next.value;
      }
    } catch (error) {
      throw this.faultOf(error as Error);
    } finally {
      answer.destroy();
    }
  }

  private get timeoutMs(): number {
    return this.settings.timeoutSeconds * 1000;
  }

  private async signed(asked: BucketRequest): Promise<Signed> {
    const { method, key, query = {}, headers = {}, body = '', sha256 } = asked;
    const { region, accessKeyId, secretAccessKey } = this.settings;
    const url = new URL(this.base);
    if (key !== undefined) url.pathname = `${url.pathname.replace(/\/$/, '')}/${key}`;
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const digest = sha256 ?? createHash('sha256').update(body).digest();
    const signer = new AwsV4Signer({
      method,
      url: url.href,
      headers: { ...headers, 'x-amz-content-sha256': digest.toString('hex') },
      accessKeyId,
      secretAccessKey,
      service: 's3',
      region,
      cache: this.keys,
    });
    const signed = await signer.sign();
    return { url: signed.url, headers: Object.fromEntries(signed.headers) };
  }

  private faultOf(error: Error): BucketFault {
    if (error instanceof BucketFault) return error;
    if (error instanceof Silent)
      return new BucketFault('unreachable', `did not answer within ${this.settings.timeoutSeconds} s`);
    if (error instanceof ForbiddenAddress)
      return new BucketFault(
        'refused',
        'has a private address; to allow it, add its host to ARCHIVE_ALLOWED_HOSTS',
      );
    const { code } = error as NodeJS.ErrnoException;
    return new BucketFault('unreachable', `cannot be reached (${code ?? error.name})`, error);
  }
}

interface Signed {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
}

class Silent extends Error {}
class StaleConnection extends Error {}
