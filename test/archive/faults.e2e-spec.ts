import { ArchivePlace } from '../../src/sessions/archive/archive-place';
import { bucketFaults } from '../../src/sessions/archive/bucket/bucket-check';
import { archiveNow, archiveStateOf, archived, endSchedules } from '../support/archive/archived';
import { type Disturb, SmallS3 } from '../support/archive/small-s3';
import { startDataPath } from '../support/data-path';
import { describeScoped } from '../support/describe';
import { eventually } from '../support/eventually';

const refusing =
  (status: number, code: string, methods: readonly string[]): Disturb =>
  ({ method }, response) => {
    if (!methods.includes(method ?? '')) return false;
    response.writeHead(status).end(`<Error><Code>${code}</Code></Error>`);
    return true;
  };

/** Changes the bytes of objects that are read. With `isHonest`, the answer has the changed length. */
const answering =
  (change: (body: Buffer) => Buffer, isHonest: boolean): Disturb =>
  ({ method, headers }, response) => {
    if (method !== 'GET' || headers.range === undefined) return false;
    const end = response.end.bind(response);
    const head = response.writeHead.bind(response);
    let status = 206;
    response.writeHead = (code: number) => {
      status = code;
      return response;
    };
    response.end = ((body?: Buffer) => {
      const sent = change(Buffer.from(body ?? ''));
      head(status, { 'content-length': isHonest ? sent.length : (body?.length ?? 0) });
      if (isHonest || sent.length === body?.length) return end(sent);
      response.write(sent, () => response.destroy());
      return response;
    }) as never;
    return false;
  };

const flipped = (body: Buffer): Buffer => {
  body.writeUInt8((body.at(-1) ?? 0) ^ 1, body.length - 1);
  return body;
};

const WRITES = ['PUT'];
const ALL = ['PUT', 'GET', 'HEAD', 'DELETE'];
/** Faults of the bucket, and how each disturbs requests. */
const FAULTS: readonly [string, Disturb][] = [
  ['is full', refusing(507, 'InsufficientStorage', WRITES)],
  ['has used its quota up', refusing(403, 'QuotaExceeded', WRITES)],
  ['is read-only', refusing(403, 'AccessDenied', WRITES)],
  ['answers 500', refusing(500, 'InternalError', ALL)],
  ['finds another checksum', refusing(400, 'BadDigest', WRITES)],
  ['truncates bodies', answering((body) => body.subarray(0, -7), false)],
  ['truncates bodies and says nothing', answering((body) => body.subarray(0, -7), true)],
  ['returns other bytes', answering(flipped, true)],
  [
    'disconnects',
    (request) => {
      request.socket.destroy();
      return true;
    },
  ],
];

describeScoped('a bucket that', (begin) => {
  const s3 = begin(() => SmallS3.start());
  const path = begin(() => startDataPath(s3.variables));

  beforeAll(() => endSchedules(path.gateway));

  afterEach(() => {
    s3.disturb = () => false;
  });

  // promises: ARCHIVE-3, ARCHIVE-6
  it.each(FAULTS)('%s loses no recording, and nothing else is refused', async (_, disturb) => {
    s3.disturb = disturb;
    const id = (await path.run('SELECT 1')).body.session_id as string;
    const before = await path.recording(id);
    const stored = (await archiveStateOf(path.gateway, id)).chunks;
    const { state, fault, chunks } = await eventually('the fault is noted', async () => {
      await archiveNow(path.gateway).catch(() => undefined);
      const found = await archiveStateOf(path.gateway, id);
      return found.fault !== null && found;
    });
    expect([state, chunks]).toEqual(['waiting', stored]);
    expect(fault).toMatch(/^the object storage /);
    expect((await path.run('SELECT 2')).status).toBe(200);
    expect(await path.recording(id)).toEqual(before);
    s3.disturb = () => false;
    await archived(path.gateway, id);
    expect(await path.recording(id)).toEqual(before);
  });

  // promises: ARCHIVE-6
  it('is away is answered with 503 and plain words, and everything else works', async () => {
    const id = (await path.run('SELECT 1')).body.session_id as string;
    await archived(path.gateway, id);
    const link = await path.gateway.call('admin', 'POST', `/sessions/${id}/download-links`, {
      extension: 'txt',
    });
    s3.disturb = refusing(503, 'SlowDown', ALL);
    for (const query of [
      '?expand=event_stream',
      '?event_stream=utf8',
      '?extension=txt',
      '?extension=csv',
      '?extension=evidence',
    ]) {
      const { status, body, headers } = await path.read(id, query);
      expect([query, status, body.message]).toEqual([
        query,
        503,
        'this recording cannot be read at the moment: the object storage failed (SlowDown, status 503)',
      ]);
      expect(headers.get('retry-after')).toBe('10');
    }
    expect((await path.gateway.call('admin', 'GET', `/sessions/${id}/verify`)).status).toBe(503);
    // The download link works once. A failed download does not use it up.
    const address = new URL(link.body.download_url as string);
    const download = () =>
      fetch(`${path.gateway.api}${address.pathname.replace('/api', '')}${address.search}`);
    expect((await download()).status).toBe(503);
    expect((await path.read(id)).status).toBe(200);
    expect((await path.gateway.call('admin', 'GET', '/sessions')).status).toBe(200);
    s3.disturb = () => false;
    expect((await download()).status).toBe(200);
  });

  it('has all that is needed passes the check, and each fault has its sentence', async () => {
    const bucket = path.gateway.app.get(ArchivePlace, { strict: false }).bucket;
    if (bucket === undefined) throw new Error('there is no bucket');
    expect(await bucketFaults(bucket)).toEqual([]);
    expect(await bucketFaults(bucket)).toEqual([]);
    expect(s3.found('access-gateway-check')).toHaveLength(1);
    s3.disturb = refusing(403, 'AccessDenied', ['PUT', 'GET']);
    expect(await bucketFaults(bucket)).toEqual([
      'Object Lock cannot be asked for (s3:GetBucketObjectLockConfiguration): the object storage refused (AccessDenied, status 403)',
      'objects cannot be stored (s3:PutObject): the object storage refused (AccessDenied, status 403)',
      'objects cannot be read (s3:GetObject): the object storage refused (AccessDenied, status 403)',
      'versions cannot be listed (s3:ListBucketVersions): the object storage refused (AccessDenied, status 403)',
    ]);
    s3.disturb = refusing(500, 'InternalError', ALL);
    expect(await bucketFaults(bucket)).toHaveLength(1);
  });
});

describeScoped('a bucket without Object Lock', (begin) => {
  const s3 = begin(() => SmallS3.start(false));

  it('is named by the check', async () => {
    const path = await startDataPath(s3.variables);
    try {
      const bucket = path.gateway.app.get(ArchivePlace, { strict: false }).bucket;
      expect(bucket === undefined ? [] : await bucketFaults(bucket)).toEqual([
        'the bucket has no Object Lock: make one that has it, or set ARCHIVE_LOCK=off',
      ]);
    } finally {
      await path.close();
    }
  });
});
