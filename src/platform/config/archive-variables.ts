import { isIP } from 'node:net';
import { z } from 'zod';
import { hosts, wholeNumber } from './values';

/** The environment variables of the archive of recordings; see `variables.ts`. */
export const archiveVariables = {
  ARCHIVE_URL: z
    .string()
    .refine(
      isEndpoint,
      'must be the address of an S3 endpoint without a path, such as https://s3.example.com',
    )
    .optional()
    .describe(
      'Endpoint of an S3-compatible object storage, to which recordings move after their sessions ended. Absent: recordings stay in PostgreSQL. See [docs/operations/archive.md](docs/operations/archive.md).',
    ),
  ARCHIVE_BUCKET: z
    .string()
    .refine(
      isBucketName,
      'must be the name of a bucket: 3 to 63 lower-case letters, digits, hyphens and single dots, and no IP address',
    )
    .optional()
    .describe('Bucket for recordings; required with `ARCHIVE_URL`.'),
  ARCHIVE_REGION: z
    .string()
    .regex(/^[\w-]{1,64}$/, 'must be the name of a region')
    .default('us-east-1')
    .describe('Region of the bucket, as signatures name it.'),
  ARCHIVE_PREFIX: z
    .string()
    .max(200)
    .regex(/^(?:(?!\.{1,2}\/)[\w.-]+\/)*$/, 'must be empty or end with /, such as gateway/')
    .default('')
    .describe('Beginning of the keys of all objects.'),
  ARCHIVE_ACCESS_KEY_ID: z.string().optional().describe('Id of the access key; required with `ARCHIVE_URL`.'),
  ARCHIVE_SECRET_ACCESS_KEY: z
    .string()
    .optional()
    .describe('Secret of the access key; required with `ARCHIVE_URL`.'),
  ARCHIVE_ADDRESSING: z
    .enum(['path', 'host'])
    .default('path')
    .describe(
      'Where requests name the bucket: `path` (`https://s3.example.com/bucket`), or `host` (`https://bucket.s3.example.com`).',
    ),
  ARCHIVE_LOCK: z
    .enum(['compliance', 'governance', 'off'])
    .default('compliance')
    .describe(
      'Object Lock of recordings until their retention ends: in mode `compliance` nobody can end it earlier, in mode `governance` those who may bypass it can. `off` for buckets without Object Lock.',
    ),
  ARCHIVE_AFTER_MINUTES: wholeNumber(0, 525_600)
    .default(60)
    .describe('How long after the end of its session a recording stays in PostgreSQL.'),
  ARCHIVE_TIMEOUT_SECONDS: wholeNumber(1, 300)
    .default(60)
    .describe('Time-out of a request to the object storage, and of each pause in its answer.'),
  ARCHIVE_ALLOWED_HOSTS: hosts
    .default([])
    .describe(
      'Host names and addresses of the object storage that may be private, comma-separated; plain http is allowed for these.',
    ),
};

/** Checks a bucket name by Amazon S3, "General purpose bucket naming rules". Other storages follow them. */
function isBucketName(text: string): boolean {
  return (
    /^(?=.{3,63}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/.test(text) &&
    isIP(text) === 0
  );
}

/** Whether the text is an address without user, path, query and fragment. */
function isEndpoint(text: string): boolean {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text)) return false;
  const { username, password, pathname, search, hash } = new URL(text);
  return `${username}${password}${search}${hash}` === '' && pathname === '/';
}

const REQUIRED = ['ARCHIVE_BUCKET', 'ARCHIVE_ACCESS_KEY_ID', 'ARCHIVE_SECRET_ACCESS_KEY'];

/**
 * Faults of the archive's variables: missing variables, and a forbidden address. Checked at the start,
 * because otherwise the faults would appear only when the first recording is moved.
 */
export function archiveFaults(
  given: Readonly<Record<string, string>>,
  allowedHosts: readonly string[],
): string[] {
  const isGiven = (name: string): boolean => given[name] !== undefined || given[`${name}_FILE`] !== undefined;
  const { ARCHIVE_URL: address } = given;
  if (address === undefined) {
    const other = REQUIRED.find(isGiven);
    return other === undefined ? [] : [`ARCHIVE_URL: missing (required with ${other})`];
  }
  const faults = REQUIRED.filter((name) => !isGiven(name)).map(
    (name) => `${name}: missing (required with ARCHIVE_URL)`,
  );
  if (!isEndpoint(address)) return faults;
  const { protocol, hostname } = new URL(address);
  // A bucket name cannot precede an IP address: the `hostname` setter of `URL` silently ignores such a host,
  // so every request would be sent without the bucket name.
  if (given['ARCHIVE_ADDRESSING'] === 'host' && isIP(hostname.replace(/^\[|\]$/g, '')) !== 0)
    faults.push('ARCHIVE_ADDRESSING: must be path where ARCHIVE_URL has an address and no name');
  if (protocol === 'http:' && !allowedHosts.includes(hostname.replace(/^\[|\]$/g, '')))
    faults.push('ARCHIVE_URL: must be https, unless ARCHIVE_ALLOWED_HOSTS names its host');
  return faults;
}
