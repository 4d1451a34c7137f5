// An in-memory bucket with only the features of S3 that the archive uses: versions, If-None-Match, checksums
// and ranges. It checks no signature and locks nothing.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { onEnd } from './ends.mjs';

/**
 * @returns the environment variables with which a gateway moves recordings to this bucket at once, and the
 * functions `open` and `close`. The bucket starts closed, and a closed bucket answers 503.
 */
export async function startBucket() {
  const objects = new Map();
  let isOpen = false;
  const server = createServer((request, response) => {
    if (isOpen) void serve(objects, request, response);
    else response.writeHead(503).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    variables: {
      ARCHIVE_URL: `http://127.0.0.1:${server.address().port}`,
      ARCHIVE_BUCKET: 'recordings',
      ARCHIVE_ACCESS_KEY_ID: 'bench',
      ARCHIVE_SECRET_ACCESS_KEY: 'bench',
      ARCHIVE_ALLOWED_HOSTS: '127.0.0.1',
      ARCHIVE_AFTER_MINUTES: '0',
      ARCHIVE_LOCK: 'off',
    },
    open: () => (isOpen = true),
    close: () => (isOpen = false),
    get bytes() {
      return [...objects.values()].reduce((sum, { body }) => sum + body.length, 0);
    },
  };
}

async function serve(objects, request, response) {
  const { pathname, searchParams } = new URL(request.url, 'http://bucket');
  const parts = [];
  for await (const part of request) parts.push(part);
  const key = pathname.slice('/recordings/'.length);
  const object = objects.get(key);
  if (searchParams.has('versions')) {
    const found = [...objects.keys()].filter((each) => each.startsWith(searchParams.get('prefix')));
    response.end(
      found.map((each) => `<Version><Key>${each}</Key><VersionId>1</VersionId></Version>`).join(''),
    );
  } else if (request.method === 'PUT') {
    if (object !== undefined) return void response.writeHead(412).end();
    const body = Buffer.concat(parts);
    objects.set(key, { body, sha256: createHash('sha256').update(body).digest('base64') });
    response.writeHead(200, { 'x-amz-version-id': '1' }).end();
  } else if (object === undefined) {
    response.writeHead(404).end('<Code>NoSuchKey</Code>');
  } else if (request.method === 'DELETE') {
    objects.delete(key);
    response.writeHead(204).end();
  } else {
    const [, from = 0, to = object.body.length - 1] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range) ?? [];
    const body = object.body.subarray(Number(from), Number(to) + 1);
    response.writeHead(206, { 'content-length': body.length, 'x-amz-checksum-sha256': object.sha256 });
    response.end(request.method === 'HEAD' ? undefined : body);
  }
}
