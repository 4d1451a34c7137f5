import { BucketFault } from './bucket-fault';

/** One stored version of an object. In a bucket without versions, `versionId` is the text `null`. */
export interface ObjectVersion {
  readonly key: string;
  readonly versionId: string;
}

/** Makes a fault from an error response, with the status and the code in its XML body. */
export function bucketRefusal(status: number, body: string): BucketFault {
  // The body is not trusted, so only its code is shown, and only if the code is a plain word.
  const [, code] = /<Code>([A-Za-z]{1,64})<\/Code>/.exec(body) ?? [];
  const said = code === undefined ? `status ${status}` : `${code}, status ${status}`;
  return status >= 500 || status === 429 || status === 408
    ? new BucketFault('unreachable', `failed (${said})`)
    : new BucketFault('refused', `refused (${said})`);
}

/**
 * Returns the versions and delete markers in a response to `GET ?versions`. Skips keys that need escapes,
 * because the archive writes no such keys.
 */
export function versionsIn(xml: string): ObjectVersion[] {
  const found = xml.matchAll(/<(Version|DeleteMarker)>(.*?)<\/\1>/gs);
  return [...found].flatMap(([, , entry = '']) => {
    const key = /<Key>([\w./-]+)<\/Key>/.exec(entry)?.[1];
    const versionId = /<VersionId>([^<&]+)<\/VersionId>/.exec(entry)?.[1];
    return key === undefined || versionId === undefined ? [] : [{ key, versionId }];
  });
}

/** Whether an answer to `GET ?object-lock` shows that the bucket has Object Lock. */
export function hasObjectLock(xml: string): boolean {
  return /<ObjectLockEnabled>\s*Enabled\s*<\/ObjectLockEnabled>/.test(xml);
}
