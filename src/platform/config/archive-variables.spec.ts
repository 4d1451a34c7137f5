import { ConfigurationError, readEnvironment } from './environment';

function faultsOf(env: NodeJS.ProcessEnv): readonly string[] {
  try {
    readEnvironment(env);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.faults;
    throw error;
  }
  return [];
}

describe('the variables of the archive', () => {
  // promises: ARCHIVE-1
  it('list what is missing or malformed at once, and need nothing', () => {
    expect(readEnvironment({}).ARCHIVE_URL).toBeUndefined();
    const complete = {
      ARCHIVE_URL: 'https://s3.example.com',
      ARCHIVE_BUCKET: 'recordings',
      ARCHIVE_ACCESS_KEY_ID: 'id',
      ARCHIVE_SECRET_ACCESS_KEY: 'canary',
    };
    expect(readEnvironment(complete)).toMatchObject({ ...complete, ARCHIVE_LOCK: 'compliance' });
    expect(faultsOf({ ARCHIVE_URL: 'http://10.0.0.1:9000' })).toEqual([
      'ARCHIVE_BUCKET: missing (required with ARCHIVE_URL)',
      'ARCHIVE_ACCESS_KEY_ID: missing (required with ARCHIVE_URL)',
      'ARCHIVE_SECRET_ACCESS_KEY: missing (required with ARCHIVE_URL)',
      'ARCHIVE_URL: must be https, unless ARCHIVE_ALLOWED_HOSTS names its host',
    ]);
    expect(faultsOf({ ARCHIVE_BUCKET: 'recordings' })).toEqual([
      'ARCHIVE_URL: missing (required with ARCHIVE_BUCKET)',
    ]);
    for (const [name, value] of [
      ['ARCHIVE_URL', 'https://user:canary@s3.example.com'],
      ['ARCHIVE_URL', 'https://s3.example.com/recordings'],
      ['ARCHIVE_BUCKET', 'No Bucket'],
      ['ARCHIVE_PREFIX', '../'],
      ['ARCHIVE_PREFIX', 'gateway'],
      ['ARCHIVE_REGION', 'a/b'],
    ] as const) {
      const faults = faultsOf({ ...complete, [name]: value });
      expect([name, faults.length, faults.join().includes('canary')]).toEqual([name, 1, false]);
    }
    expect(
      faultsOf({ ...complete, ARCHIVE_URL: 'http://10.0.0.1:9000', ARCHIVE_ALLOWED_HOSTS: '10.0.0.1' }),
    ).toEqual([]);
    expect(
      faultsOf({ ...complete, ARCHIVE_URL: 'https://[2a00::1]:9000', ARCHIVE_ADDRESSING: 'host' }),
    ).toEqual(['ARCHIVE_ADDRESSING: must be path where ARCHIVE_URL has an address and no name']);
  });
});
