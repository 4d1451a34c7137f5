import { createHash } from 'node:crypto';
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

interface StoredVersion {
  readonly id: string;
  body: Buffer;
  lockedUntil: number;
  isHeld: boolean;
}

/**
 * Called before each request is served. Returns true if it answered the request, or destroyed it; otherwise
 * the bucket serves the request.
 */
export type Disturb = (request: IncomingMessage, response: ServerResponse) => Promise<boolean> | boolean;

const SIGNED = /^AWS4-HMAC-SHA256 Credential=([\w-]+)\/\d{8}\/us-east-1\/s3\/aws4_request, /;

/**
 * An S3 bucket in this process, with the features that the archive relies on: versions, `If-None-Match`,
 * checksums, ranges, Object Lock (mode COMPLIANCE) and legal holds. It checks the form of a signature and the
 * hash of the body, but not the secret.
 */
export class SmallS3 {
  readonly requests: string[] = [];
  /** Accepted access key ids. */
  readonly keys = new Set(['test-key']);
  disturb: Disturb = () => false;
  private readonly objects = new Map<string, StoredVersion[]>();
  private next = 1;

  private constructor(
    private readonly server: Server,
    readonly hasLock: boolean,
  ) {}

  static async start(hasLock = true): Promise<SmallS3> {
    let s3: SmallS3 | undefined;
    const server = createServer(
      (request, response) => void s3?.serve(request, response).catch(() => response.destroy()),
    );
    s3 = new SmallS3(server, hasLock);
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    return s3;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Environment variables that make a gateway move recordings to this bucket at once. */
  get variables(): Record<string, string> {
    return {
      ARCHIVE_URL: `http://127.0.0.1:${this.port}`,
      ARCHIVE_BUCKET: 'recordings',
      ARCHIVE_PREFIX: 'gateway/',
      ARCHIVE_ACCESS_KEY_ID: 'test-key',
      ARCHIVE_SECRET_ACCESS_KEY: 'canary-archive-secret',
      ARCHIVE_ALLOWED_HOSTS: '127.0.0.1',
      ARCHIVE_AFTER_MINUTES: '0',
      ARCHIVE_TIMEOUT_SECONDS: '10',
    };
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((closed) => this.server.close(closed));
  }

  /** The versions of objects whose keys contain the text. */
  found(text: string): (StoredVersion & { readonly key: string })[] {
    return [...this.objects]
      .filter(([key]) => key.includes(text))
      .flatMap(([key, versions]) => versions.map((version) => Object.assign(version, { key })));
  }

  /** Deletes all versions of objects whose keys contain the text, as a faulty bucket would. */
  forget(text: string): void {
    for (const { key } of this.found(text)) this.objects.delete(key);
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', 'http://s3');
    this.requests.push(`${request.method} ${url.pathname}${url.search}`);
    if (await this.disturb(request, response)) return;
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = Buffer.concat(parts);
    const [, bucket, ...rest] = url.pathname.split('/');
    const digest = createHash('sha256').update(body);
    const [, keyId = ''] = SIGNED.exec(request.headers.authorization ?? '') ?? [];
    if (!this.keys.has(keyId) || request.headers['x-amz-content-sha256'] !== digest.copy().digest('hex'))
      return refuse(response, 403, 'SignatureDoesNotMatch');
    if (bucket !== 'recordings') return refuse(response, 404, 'NoSuchBucket');
    const key = rest.join('/');
    if (key === '') return this.ofBucket(url, response);
    const versions = this.objects.get(key) ?? [];
    const wanted = url.searchParams.get('versionId');
    const version = wanted === null ? versions.at(-1) : versions.find(({ id }) => id === wanted);
    if (request.method === 'PUT' && !url.searchParams.has('retention') && !url.searchParams.has('legal-hold'))
      return this.put(request, response, key, body, digest.digest('base64'));
    if (version === undefined) return refuse(response, 404, 'NoSuchKey');
    if (request.method === 'PUT') return this.lock(url, response, version, body.toString());
    if (request.method !== 'DELETE') return read(request, response, version);
    if (version.isHeld || version.lockedUntil > Date.now()) return refuse(response, 403, 'AccessDenied');
    this.objects.set(
      key,
      versions.filter((other) => other !== version),
    );
    response.writeHead(204).end();
  }

  private ofBucket(url: URL, response: ServerResponse): void {
    if (url.searchParams.has('object-lock')) {
      if (!this.hasLock) return refuse(response, 404, 'ObjectLockConfigurationNotFoundError');
      response.end(
        '<ObjectLockConfiguration><ObjectLockEnabled>Enabled</ObjectLockEnabled></ObjectLockConfiguration>',
      );
      return;
    }
    const found = this.found('').filter(({ key }) => key.startsWith(url.searchParams.get('prefix') ?? ''));
    const entries = found.map(
      ({ key, id }) => `<Version><Key>${key}</Key><VersionId>${id}</VersionId></Version>`,
    );
    response.end(`<ListVersionsResult>${entries.join('')}</ListVersionsResult>`);
  }

  private put(
    request: IncomingMessage,
    response: ServerResponse,
    key: string,
    body: Buffer,
    checksum: string,
  ): void {
    const versions = this.objects.get(key) ?? [];
    const { headers } = request;
    if (headers['x-amz-checksum-sha256'] !== checksum) return refuse(response, 400, 'BadDigest');
    if (headers['if-none-match'] === '*' && versions.length > 0)
      return refuse(response, 412, 'PreconditionFailed');
    const until = headers['x-amz-object-lock-retain-until-date'];
    if (until !== undefined && (!this.hasLock || headers['x-amz-object-lock-mode'] !== 'COMPLIANCE'))
      return refuse(response, 400, 'InvalidRequest');
    const lockedUntil = until === undefined ? 0 : Date.parse(String(until));
    const version = {
      id: `v${this.next++}`,
      body,
      lockedUntil,
      isHeld: headers['x-amz-object-lock-legal-hold'] === 'ON',
    };
    this.objects.set(key, [...versions, version]);
    response.writeHead(200, { 'x-amz-version-id': version.id, 'x-amz-checksum-sha256': checksum }).end();
  }

  private lock(url: URL, response: ServerResponse, version: StoredVersion, xml: string): void {
    if (url.searchParams.has('legal-hold')) version.isHeld = xml.includes('<Status>ON<');
    else {
      const until = Date.parse(/<RetainUntilDate>(.+)<\/RetainUntilDate>/.exec(xml)?.[1] ?? '');
      if (!(until >= version.lockedUntil)) return refuse(response, 403, 'AccessDenied');
      version.lockedUntil = until;
    }
    response.end();
  }
}

function read(
  request: IncomingMessage,
  response: ServerResponse,
  { id, body, lockedUntil }: StoredVersion,
): void {
  const head = {
    'x-amz-version-id': id,
    'x-amz-checksum-sha256': createHash('sha256').update(body).digest('base64'),
    ...(lockedUntil > 0 && { 'x-amz-object-lock-retain-until-date': new Date(lockedUntil).toISOString() }),
  };
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
  const part = from === undefined ? body : body.subarray(Number(from), Number(to) + 1);
  response.writeHead(from === undefined ? 200 : 206, { ...head, 'content-length': part.length });
  response.end(request.method === 'HEAD' ? undefined : part);
}

function refuse(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status).end(`<Error><Code>${code}</Code><Message>no</Message></Error>`);
}
