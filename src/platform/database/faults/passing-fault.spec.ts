import { DatabaseError } from 'pg';
import { QueryFailedError, QueryRunnerAlreadyReleasedError } from 'typeorm';
import { passingFault } from './passing-fault';
import { noteSchemaFault } from './schema-fault';

function databaseError(code: string): DatabaseError {
  return Object.assign(new DatabaseError('the server said so', 0, 'error'), { code });
}

function networkError(code: string): Error {
  return Object.assign(new Error(code), { code });
}

const OUTAGES: Record<string, Error> = {
  'a server that stops': databaseError('57P01'),
  'a server without free connections': databaseError('53300'),
  'a standby after a failover': new QueryFailedError('UPDATE', [], databaseError('25006')),
  'a refused connection, at each of its addresses': new AggregateError([networkError('ECONNREFUSED')]),
  'a connection that was reset': new QueryFailedError('SELECT', [], networkError('ECONNRESET')),
  'a connection that is not there any more': new QueryFailedError('SELECT', [], networkError('ENOTCONN')),
  'a connection that a server or a pooler gave up': databaseError('08006'),
  'a connection that ended': new Error('Connection terminated unexpectedly'),
  'a transaction whose connection is gone': new QueryRunnerAlreadyReleasedError(),
  'a client that was closed': new Error('Client was closed and is not queryable'),
};

const OTHERS: Record<string, unknown> = {
  'a broken rule of the schema': new QueryFailedError('INSERT', [], databaseError('23505')),
  'a wrong statement': databaseError('42703'),
  'a stream that its reader left': networkError('ERR_STREAM_DESTROYED'),
  'a fault of the program': new TypeError('x is undefined'),
  nothing: undefined,
};

describe('a fault of the database', () => {
  it.each(Object.entries(OUTAGES))('passes: %s', (_, error) => {
    expect(passingFault(error)).toMatchObject({ code: 'unavailable', retryAfterSeconds: 5, cause: error });
  });

  it.each(['40001', '40P01'])('passes sooner where others had the transaction rolled back: %s', (code) => {
    const error = new QueryFailedError('UPDATE', [], databaseError(code));
    expect(passingFault(error)).toMatchObject({ code: 'unavailable', retryAfterSeconds: 1, cause: error });
  });

  it.each([
    ['newer', /^this gateway is older than its database.+upgrade this gateway$/],
    ['older', /^this gateway is newer than its database.+restart this gateway$/],
  ] as const)('passes with an upgrade where the schema is %s', (age, message) => {
    const error = new QueryFailedError('SELECT', [], databaseError('42703'));
    noteSchemaFault(error, age);
    expect(passingFault(error)).toMatchObject({
      code: 'unavailable',
      retryAfterSeconds: 30,
      cause: error,
      message: expect.stringMatching(message),
    });
  });

  it.each(Object.entries(OTHERS))('does not pass: %s', (_, error) => {
    expect(passingFault(error)).toBeUndefined();
  });
});
