import { SPELLINGS_OF_ITSELF, SPELLINGS_OF_METADATA } from '../../../../test/support/ssh/evil-hosts';
import { sshClientFields, sshClientPolicy } from '../client-policy';
import type { ForwardEnd } from './forward-end';
import { normalizedHost } from './forward-host';
import { decideForwardFrom, decideForwardTo, ownServer } from './forward-policy';

const tcp = (host: string, port: number): ForwardEnd => ({ kind: 'tcp', host, port });

function to(list: string, end: ForwardEnd, secret: Record<string, string> = {}, address?: string) {
  const policy = sshClientPolicy({ FORWARD_TO: list });
  return decideForwardTo(end, policy.forwardTo, ownServer({ HOST: 'web1.internal', ...secret }, address));
}

function from(list: string, end: ForwardEnd) {
  return decideForwardFrom(end, sshClientPolicy({ FORWARD_FROM: list }).forwardFrom);
}

/** Allows as much as a list can. */
const ALL = [
  'localhost:*, a.localhost:*, 127.0.0.1:*, 127.0.0.1:22, 127.0.0.2:22, [::1]:*, [::1]:22, [::]:22, 0.0.0.0:22',
  'localhost:22, localhost:2222, 127.0.0.1:2222, *.svc:*, *.svc:22, *.internal:*, *.goog:*, web1.internal:22',
].join(', ');

// promises: SSHFORWARD-2
describe('a forward to the SSH port of the server itself', () => {
  it.each(SPELLINGS_OF_ITSELF)('is never allowed: %j', (host) => {
    expect(to(ALL, tcp(host, 22))).toHaveProperty('refusal');
    expect(to(ALL, tcp(host, 2222), { PORT: '2222' })).toHaveProperty('refusal');
    // Behind a translated address, the server may listen at the usual port.
    expect(to(ALL, tcp(host, 22), { PORT: '2222' })).toHaveProperty('refusal');
  });

  it('is never allowed by its configured name or address, or the address that was dialed', () => {
    for (const host of ['web1.internal', 'WEB1.internal.'])
      expect(to(ALL, tcp(host, 22))).toHaveProperty('refusal');
    for (const host of ['10.0.0.5', '0x0a000005', '::ffff:10.0.0.5']) {
      expect(to('10.0.0.5:22', tcp(host, 22), { HOST: '10.0.0.5' })).toHaveProperty('refusal');
      expect(to('10.0.0.5:22', tcp(host, 22), {}, '10.0.0.5')).toHaveProperty('refusal');
      expect(to('10.0.0.5:22', tcp(host, 22), {}, '::ffff:10.0.0.5')).toHaveProperty('refusal');
    }
  });

  it('is not allowed by a port that is the same in fewer bits', () => {
    for (const port of [65_536 + 22, 2 ** 32 - 65_536 + 22, 22.5, -22, 0])
      expect(to(ALL, tcp('127.0.0.1', port))).toHaveProperty('refusal');
  });

  it('is one to another server only where the list names host and port', () => {
    expect(to('*.internal:22', tcp('web2.internal', 22))).toHaveProperty('refusal');
    expect(to('web2.internal:*', tcp('web2.internal', 22))).toHaveProperty('refusal');
    expect(to('web2.internal:22', tcp('web2.internal', 22))).toEqual({ end: tcp('web2.internal', 22) });
  });
});

// promises: SSHFORWARD-2
describe('a forward to a metadata service', () => {
  it.each(SPELLINGS_OF_METADATA)('is never allowed: %j', (host) => {
    const list = '*.internal:80, *.google.internal:80, *.goog:80';
    expect(to(list, tcp(host, 80))).toHaveProperty('refusal');
  });

  it('cannot be listed', () => {
    for (const host of SPELLINGS_OF_METADATA)
      expect(sshClientFields['FORWARD_TO']?.check?.(`db:5432, ${host}:80`)).toMatch(/^must/);
  });
});

// promises: SSHFORWARD-1
describe('the destinations that a connection allows', () => {
  it.each<[string, ForwardEnd]>([
    ['db.internal:5432', tcp('db.internal', 5432)],
    ['DB.Internal.:5432', tcp('db.internal', 5432)],
    ['127.0.0.1:8080', tcp('127.0.0.1', 8080)],
    ['127.0.0.1:*', tcp('127.0.0.1', 39_001)],
    ['[::1]:8080', tcp('::1', 8080)],
    ['*.svc:443', tcp('web.svc', 443)],
    ['*.svc:443', tcp('web.team.svc', 443)],
    ['*.svc:*', tcp('web.svc', 8443)],
    ['a:1,b:2\nc:3', tcp('c', 3)],
    ['/run/app.sock', { kind: 'socket', path: '/run/app.sock' }],
  ])('%s has %j', (list, end) => {
    expect(to(list, end)).toEqual({ end });
  });

  it.each<[string, ForwardEnd]>([
    ['', tcp('db.internal', 5432)],
    ['db.internal:5432', tcp('db.internal', 5433)],
    ['db.internal:5432', tcp('xdb.internal', 5432)],
    ['db.internal:5432', tcp('db.internal.evil.example', 5432)],
    ['*.svc:443', tcp('svc', 443)],
    ['*.svc:443', tcp('evilsvc', 443)],
    ['*.svc:443', tcp('.svc', 443)],
    ['*.svc:443', tcp('*.svc', 443)],
    ['localhost:8080', tcp('127.0.0.1', 8080)],
    ['127.0.0.1:8080', { kind: 'socket', path: '/run/app.sock' }],
    ['/run/app.sock', { kind: 'socket', path: '/run//app.sock' }],
    ['/run/app.sock', { kind: 'socket', path: '/run/./app.sock' }],
    ['/run/app.sock', { kind: 'socket', path: '/run/x/../app.sock' }],
    ['/run/app.sock', { kind: 'socket', path: '/run/app.sock\0' }],
    ['/run/app.sock', { kind: 'socket', path: 'run/app.sock' }],
  ])('%s does not have %j', (list, end) => {
    expect(to(list, end)).toHaveProperty('refusal');
  });

  it('are sent to the server in the form in which they were judged', () => {
    expect(to('127.0.0.1:8080', tcp('0x7f.1', 8080))).toEqual({ end: tcp('127.0.0.1', 8080) });
    expect(to('db.internal:5432', tcp('DB.INTERNAL.', 5432))).toEqual({ end: tcp('db.internal', 5432) });
  });

  it.each([
    'db',
    'db:',
    ':80',
    'db:0',
    'db:65536',
    'db:80-90',
    '*:80',
    '*.1:80',
    '*.0.0.1:80',
    '::1:80',
    'a b:1',
  ])('cannot be written so: %j', (list) =>
    expect(sshClientFields['FORWARD_TO']?.check?.(list)).toMatch(/^must list/),
  );

  it.each(['/run/../x', '//run/x', '/run/x/', `/${'x'.repeat(200)}`])('have no such socket: %j', (list) =>
    expect(sshClientFields['FORWARD_TO']?.check?.(list)).toMatch(/^must name sockets/),
  );
});

// promises: SSHFORWARD-4
describe('the addresses at which a connection lets its server listen', () => {
  it.each<[string, ForwardEnd]>([
    ['localhost:8080', tcp('localhost', 8080)],
    ['localhost:*', tcp('localhost', 0)],
    ['localhost:0', tcp('localhost', 0)],
    ['127.0.0.1:8080', tcp('127.0.0.1', 8080)],
    ['/run/app.sock', { kind: 'socket', path: '/run/app.sock' }],
  ])('%s has %j', (list, end) => {
    expect(from(list, end)).toEqual({ end });
    expect(sshClientFields['FORWARD_FROM']?.check?.(list)).toBeUndefined();
  });

  it('are all interfaces only where the list says so', () => {
    for (const host of ['', '*', '0.0.0.0', '::', '0', '0x0', '[::]', '0::0']) {
      expect(from('*:8080', tcp(host, 8080))).toEqual({ end: tcp('*', 8080) });
      expect(from('localhost:8080, 127.0.0.1:8080', tcp(host, 8080))).toHaveProperty('refusal');
    }
  });

  it('have a fixed port unless the list says otherwise', () => {
    for (const port of [0, 8081, 65_536 + 8080])
      expect(from('localhost:8080', tcp('localhost', port))).toHaveProperty('refusal');
  });

  it('are refused where there is no list', () => {
    expect(from('', tcp('localhost', 8080))).toHaveProperty('refusal');
  });
});

describe('a host of a forward', () => {
  it.each([
    ['127.1', '127.0.0.1'],
    ['::FFFF:10.0.0.1', '10.0.0.1'],
    ['[2001:DB8::0:1]', '2001:db8::1'],
    ['Db.Internal.', 'db.internal'],
    ['_http._tcp.svc', '_http._tcp.svc'],
  ])('%s is %s', (text, host) => expect(normalizedHost(text)).toBe(host));

  it.each(['1.2.3.4.5', '256.1.1.1', '08.0.0.1', 'a..b', '-a.b', 'a.0x1', 'x'.repeat(254), 'bücher.example'])(
    '%j is none',
    (text) => expect(normalizedHost(text)).toBeUndefined(),
  );
});
