import { SignInRefusal } from './refusal';
import { askedOfTarget, versionAnswer } from './protocol-version';
import { type Start, startOf } from './start';

function start(parameters: Record<string, string>, minor = 0, protocolOptions: string[] = []): Start {
  return startOf({ minor, parameters: new Map(Object.entries(parameters)), protocolOptions });
}

function refused(parameters: Record<string, string>): unknown {
  try {
    start(parameters);
  } catch (error) {
    if (error instanceof SignInRefusal) return [error.reason, error.fields?.code];
    throw error;
  }
  return 'taken';
}

describe('startOf', () => {
  it('keeps what is meant for the server, and leaves out what is meant for us', () => {
    expect(
      start({
        user: 'u',
        database: 'd',
        replication: 'off',
        y: '2',
        options: '-c x=1',
        client_encoding: 'UTF8',
      }),
    ).toEqual({
      user: 'u',
      database: 'd',
      settings: [
        ['x', '1'],
        ['y', '2'],
      ],
      protocol: { minor: 0, options: [] },
    });
  });

  it('takes the database letter by letter, as servers do', () => {
    expect(start({ user: 'u', database: ' cafe\u0301\u00A0' }).database).toBe(' cafe\u0301\u00A0');
    expect(start({ user: 'u', database: ' ' }).database).toBeUndefined();
  });

  it('needs a user, and no database', () => {
    expect(refused({ database: 'd' })).toEqual(['no_user', '28000']);
    expect(refused({ user: '' })).toEqual(['no_user', '28000']);
    expect(start({ user: 'u' }).database).toBeUndefined();
    expect(start({ user: 'u', database: '' }).database).toBeUndefined();
  });

  it.each([
    [0, [], 2, undefined],
    [1, [], 0, undefined],
    [2, [], 2, undefined],
    // The target supports only version 3.0, or was not asked for a newer one.
    [2, [], 0, '\0\x03\0\0\0\0\0\0'],
    [3, [], 2, '\0\x03\0\x02\0\0\0\0'],
    [9_999, ['_pq_.a', '_pq_.b'], 2, '\0\x03\0\x02\0\0\0\x02_pq_.a\0_pq_.b\0'],
    [9_999, [], 0, '\0\x03\0\0\0\0\0\0'],
    [0, ['_pq_.a'], 0, '\0\x03\0\0\0\0\0\x01_pq_.a\0'],
    // Version 3.1 was never released, and clients treat an offer of it as an error.
    [1, ['_pq_.a'], 0, '\0\x03\0\0\0\0\0\x01_pq_.a\0'],
  ] as const)(
    '3.%d with options %j is answered where the target speaks 3.%d',
    (minor, options, spoken, answer) => {
      const { protocol } = start({ user: 'u' }, minor, [...options]);
      expect(askedOfTarget(protocol)).toBe(minor >= 2 ? 2 : 0);
      const told = versionAnswer(protocol, askedOfTarget(protocol) === 0 ? 0 : spoken);
      expect(told?.toString('latin1', 5)).toBe(answer);
    },
  );

  it.each(['true', 'on', '1', 'database', 'yes', 'o', 'nonsense'])('refuses replication=%s', (value) => {
    expect(refused({ user: 'u', replication: value })).toEqual(['not_spoken', '0A000']);
  });

  it.each(['false', 'OFF', 'no', '0', 'f', 'of', ''])('takes replication=%s for none', (value) => {
    expect(start({ user: 'u', replication: value }).settings).toEqual([]);
  });

  it.each(['utf8', 'UTF-8', "'utf-8'", 'Unicode', 'utf_8', ' UTF 8 ', 'SQL_ASCII'])(
    'takes client_encoding=%s',
    (value) => {
      expect(refused({ user: 'u', client_encoding: value })).toBe('taken');
    },
  );

  it.each([
    { options: '-c client_encoding=LATIN1' },
    { options: '--client-encoding=SJIS' },
    { options: '-cClient_Encoding=UTF8 -c client_encoding=latin1' },
    { CLIENT_ENCODING: 'LATIN1' },
  ])('refuses another encoding, however it is named: %j', (parameters) => {
    expect(refused({ user: 'u', ...parameters })).toEqual(['not_spoken', '0A000']);
    // If `client_encoding` is given several times, only the last value counts.
    expect(refused({ user: 'u', ...parameters, client_encoding: 'UTF8' })).toBe('taken');
  });

  it.each(['LATIN1', 'UTF16', 'SJIS', 'auto', ''])('refuses client_encoding=%s', (value) => {
    expect(refused({ user: 'u', client_encoding: value })).toEqual(['not_spoken', '0A000']);
  });
});
