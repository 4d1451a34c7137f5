import { DatabaseError } from 'pg';
import { upstreamRefusal } from './upstream-refused';

const secret = { HOST: 'db.internal', USER: 'app', PASS: 'canary', DB: 'a' };

function said(code: string, message: string, more: object = {}): DatabaseError {
  return Object.assign(new DatabaseError(message, 0, 'error'), { severity: 'FATAL', code, ...more });
}

describe('a refusal of the target', () => {
  it('is told in the server’s words when it is about the client’s parameters', () => {
    const error = said('22023', 'invalid value for parameter "x"', { detail: 'd', hint: 'h', file: 'guc.c' });
    expect(upstreamRefusal(error, secret).fields).toEqual({
      severity: 'FATAL',
      code: '22023',
      message: 'invalid value for parameter "x"',
      detail: 'd',
      hint: 'h',
    });
    const pooler = said('08P01', 'unsupported startup parameter: work_mem');
    expect(upstreamRefusal(pooler, secret).fields.message).toBe('unsupported startup parameter: work_mem');
  });

  it.each([
    ['the user', 'permission denied to set role "app"', {}],
    ['the database, which is one letter', 'invalid value for parameter "search_path": "a"', {}],
    ['the host, in the hint', 'invalid value', { hint: 'Ask db.internal' }],
    ['the password, in the detail', 'invalid value', { detail: 'canary' }],
  ])('is told in our words when it names %s', (_what, message, more) => {
    expect(upstreamRefusal(said('22023', message, more), secret).fields).toEqual({
      severity: 'FATAL',
      code: '22023',
      message: 'The database refused a start-up parameter of the client.',
    });
  });

  it.each([
    ['53300', '53300', 'The database has no connections left.'],
    ['57P03', '57P03', 'The database is starting up or shutting down.'],
    ['28P01', '08004', 'The database refused the user or the password of this connection.'],
    ['28000', '08004', 'The database refused the user of this connection.'],
    ['3D000', '08004', 'The database of this connection does not exist.'],
    ['XX000', '08004', 'The database could not be reached.'],
  ])('of ours is told in our words: %s', (code, told, message) => {
    expect(upstreamRefusal(said(code, 'canary of the server'), secret).fields).toEqual({
      severity: 'FATAL',
      code: told,
      message,
    });
  });
});
