import { createHash, createHmac, pbkdf2Sync } from 'node:crypto';
import * as fc from '../../../../test/support/fast-check';
import { verifierOf } from '../../../../test/support/postgres-proxy';
import { mockVerifier } from '../../kit/mock-verifier';
import { SignInRefusal } from './refusal';
import { SCRAM, SCRAM_PLUS, ScramExchange, mechanismsFor } from './scram-exchange';

const SERVER_NONCE = 'server';
const END_POINT = createHash('sha256').update('certificate').digest();
const verifier = verifierOf('pencil', Buffer.from('W22ZaJ0SNY7soEsUEjb6gQ==', 'base64'));

function exchange(mechanism = SCRAM, endPoint?: Buffer): ScramExchange {
  return new ScramExchange(mechanism, verifier, endPoint, SERVER_NONCE);
}

/** Computes the SCRAM answer of a client that knows the password. */
function proofFor(firstBare: string, serverFirst: string, withoutProof: string): string {
  const { salt, iterations } = verifier;
  const { storedKey } = verifierOf('pencil', salt);
  const salted = pbkdf2Sync('pencil', salt, iterations, 32, 'sha256');
  const clientKey: Buffer = createHmac('sha256', salted).update('Client Key').digest();
  const signature = createHmac('sha256', storedKey)
    .update(`${firstBare},${serverFirst},${withoutProof}`, 'latin1')
    .digest();
  return Buffer.from(clientKey.map((byte, at) => byte ^ (signature[at] ?? 0))).toString('base64');
}

/** Runs a whole SCRAM exchange. `binding` is the channel binding of the client's final message. */
function signIn(
  server: ScramExchange,
  gs2: string,
  binding: Buffer = Buffer.from(gs2),
  bare = 'n=,r=client',
): string | undefined {
  const serverFirst = server.begin(Buffer.from(gs2 + bare, 'latin1'));
  const withoutProof = `c=${binding.toString('base64')},r=client${SERVER_NONCE}`;
  const proof = proofFor(bare, serverFirst, withoutProof);
  return server.finish(Buffer.from(`${withoutProof},p=${proof}`));
}

function refusalOf(act: () => unknown): [string, string | undefined] {
  try {
    act();
  } catch (error) {
    if (error instanceof SignInRefusal) return [error.reason, error.fields?.code];
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('ScramExchange', () => {
  it('has the conversation of RFC 7677, section 3', () => {
    const server = new ScramExchange(SCRAM, verifier, undefined, '%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0');
    expect(server.begin(Buffer.from('n,,n=user,r=rOprNGfwEbeRWgbNEkqO'))).toBe(
      'r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096',
    );
    expect(
      server.finish(
        Buffer.from(
          'c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=',
        ),
      ),
    ).toBe('v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=');
  });

  it('takes any user name, extensions, and bytes that are no UTF-8', () => {
    expect(signIn(exchange(), 'n,,', undefined, 'n=\xff\xfe,r=client,x=1,y=2')).toMatch(/^v=/);
  });

  it('draws a nonce of its own each time', () => {
    const first = new ScramExchange(SCRAM, verifier, undefined).begin(Buffer.from('n,,n=,r=client'));
    const second = new ScramExchange(SCRAM, verifier, undefined).begin(Buffer.from('n,,n=,r=client'));
    expect(first).toMatch(/^r=client[A-Za-z0-9+/]{24},s=/);
    expect(second).not.toBe(first);
  });

  it('binds to the channel', () => {
    expect(mechanismsFor(END_POINT)).toEqual([SCRAM_PLUS, SCRAM]);
    const gs2 = 'p=tls-server-end-point,,';
    const bound = Buffer.concat([Buffer.from(gs2), END_POINT]);
    expect(signIn(exchange(SCRAM_PLUS, END_POINT), gs2, bound)).toMatch(/^v=/);
    const other = Buffer.concat([Buffer.from(gs2), createHash('sha256').update('other').digest()]);
    expect(refusalOf(() => signIn(exchange(SCRAM_PLUS, END_POINT), gs2, other))).toEqual([
      'channel_binding',
      '28000',
    ]);
    expect(refusalOf(() => signIn(exchange(SCRAM_PLUS, END_POINT), gs2))[0]).toBe('channel_binding');
  });

  it('takes `y` where no binding is offered only, and `n` anywhere', () => {
    expect(mechanismsFor(undefined)).toEqual([SCRAM]);
    expect(signIn(exchange(), 'y,,')).toMatch(/^v=/);
    expect(signIn(exchange(SCRAM, END_POINT), 'n,,')).toMatch(/^v=/);
    expect(refusalOf(() => signIn(exchange(SCRAM, END_POINT), 'y,,'))).toEqual(['channel_binding', '28000']);
  });

  it('refuses a client that says `y` first and `n` at last, or otherwise about', () => {
    expect(refusalOf(() => signIn(exchange(), 'y,,', Buffer.from('n,,')))[0]).toBe('channel_binding');
    expect(refusalOf(() => signIn(exchange(), 'n,,', Buffer.from('y,,')))[0]).toBe('channel_binding');
  });

  it.each([
    [SCRAM_PLUS, 'n,,n=,r=c', 'malformed', '08P01'],
    [SCRAM_PLUS, 'y,,n=,r=c', 'malformed', '08P01'],
    [SCRAM_PLUS, 'p=tls-unique,,n=,r=c', 'malformed', '08P01'],
    [SCRAM, 'p=tls-server-end-point,,n=,r=c', 'malformed', '08P01'],
    [SCRAM, 'n,a=other,n=,r=c', 'not_spoken', '0A000'],
    [SCRAM, 'n,,m=1,n=,r=c', 'not_spoken', '0A000'],
    [SCRAM, 'x,,n=,r=c', 'malformed', '08P01'],
    [SCRAM, 'n,n=,r=c', 'malformed', '08P01'],
    [SCRAM, 'n,,r=c', 'malformed', '08P01'],
    [SCRAM, 'n,,n=', 'malformed', '08P01'],
    [SCRAM, 'n,,n=,r=', 'malformed', '08P01'],
    [SCRAM, 'n,,n=,r=a b', 'malformed', '08P01'],
    [SCRAM, 'n,,n=,r=c,', 'malformed', '08P01'],
    [SCRAM, 'n,,n=,r=c,xx', 'malformed', '08P01'],
    [SCRAM, 'n,,n=,r=c\0', 'malformed', '08P01'],
    [SCRAM, 'n,,n=,r=c\n', 'malformed', '08P01'],
    [SCRAM, '', 'malformed', '08P01'],
  ])('of %s refuses %j', (mechanism, first, reason, code) => {
    const endPoint = mechanism === SCRAM_PLUS ? END_POINT : undefined;
    expect(refusalOf(() => exchange(mechanism, endPoint).begin(Buffer.from(first)))).toEqual([reason, code]);
  });

  it.each([
    'c=biws,r=clientserver',
    `c=biws,r=clientserver,p=${'A'.repeat(43)}`,
    `c=biws,r=clientserver,p=${'A'.repeat(47)}=`,
    `c=biws,r=clientserver,p=${'A'.repeat(43)}=,x=1`,
    `c=biws,r=client,p=${'A'.repeat(43)}=`,
    `c=biws,r=clientserve,p=${'A'.repeat(43)}=`,
    `c=biws,r=clientserver2,p=${'A'.repeat(43)}=`,
    `r=clientserver,p=${'A'.repeat(43)}=`,
    `c=,r=clientserver,p=${'A'.repeat(43)}=`,
    '',
  ])('refuses %j at last', (final) => {
    const server = exchange();
    server.begin(Buffer.from('n,,n=,r=client'));
    expect(refusalOf(() => server.finish(Buffer.from(final)))).toEqual(['malformed', '08P01']);
  });

  it('says no to a wrong proof, and to one that came before the beginning', () => {
    const server = exchange();
    server.begin(Buffer.from('n,,n=,r=client'));
    expect(server.finish(Buffer.from(`c=biws,r=clientserver,p=${'A'.repeat(43)}=`))).toBeUndefined();
    expect(refusalOf(() => exchange().finish(Buffer.from(`c=biws,r=a,p=${'A'.repeat(43)}=`)))[0]).toBe(
      'malformed',
    );
  });

  it('answers any bytes with a message or a refusal', () => {
    const pieces = fc.constantFrom(
      'n',
      'y',
      'p=',
      ',',
      'a=',
      'n=',
      'r=',
      'c=biws',
      'p=AAAA',
      '\0',
      '=',
      'xyz',
    );
    const message = fc.oneof(
      fc.array(pieces, { maxLength: 14 }).map((parts) => parts.join('')),
      fc.string({ unit: 'binary', maxLength: 60 }),
    );
    fc.assert(
      fc.property(message, message, (first, last) => {
        const server = exchange();
        for (const step of [() => server.begin(Buffer.from(first)), () => server.finish(Buffer.from(last))]) {
          try {
            step();
          } catch (error) {
            expect(error).toBeInstanceOf(SignInRefusal);
          }
        }
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('mockVerifier', () => {
  const secret = Buffer.alloc(32, 1);

  it('is the same for one name, another for another name or key, and of the same form as a real one', () => {
    const mock = mockVerifier(secret, 'a');
    expect(mockVerifier(secret, 'a')).toEqual(mock);
    expect(mockVerifier(secret, 'b').salt).not.toEqual(mock.salt);
    expect(mockVerifier(Buffer.alloc(32, 2), 'a').salt).not.toEqual(mock.salt);
    expect([mock.iterations, mock.salt.length, mock.storedKey.length, mock.serverKey.length]).toEqual([
      4_096, 16, 32, 32,
    ]);
  });
});
