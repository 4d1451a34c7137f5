import { signedHeaders } from './signature';

const keyOf = (secret: string): Buffer => Buffer.from(secret.slice('whsec_'.length), 'base64');

/** Known answers, by the reference library of Standard Webhooks (npm standardwebhooks 1.1.1). */
const known = [
  {
    secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    seconds: 1_614_265_330,
    body: '{"test": 2432232314}',
    signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  },
  {
    secret: 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=',
    id: '019a0000-0000-7000-8000-000000000001',
    seconds: 1_750_000_000,
    body: JSON.stringify({ type: 'session.ended', data: { name: 'Zoë → 日本' } }),
    signature: 'v1,n2M0omgJTsrJQgN0AG4wB7+fP6DFa6eshprg4glblis=',
  },
];

describe('a signature', () => {
  it.each(known)('of $id is that of the reference library', ({ secret, id, seconds, body, signature }) => {
    expect(signedHeaders(id, body, [keyOf(secret)], seconds * 1000 + 999)).toEqual({
      'webhook-id': id,
      'webhook-timestamp': String(seconds),
      'webhook-signature': signature,
    });
  });

  it('is there once for each key, the newest first', () => {
    const [one, other] = known.map(({ secret }) => keyOf(secret)) as [Buffer, Buffer];
    const by = (keys: Buffer[]) => signedHeaders('id', '{}', keys, 0)['webhook-signature'];
    expect(by([one, other])).toBe(`${by([one])} ${by([other])}`);
  });
});
