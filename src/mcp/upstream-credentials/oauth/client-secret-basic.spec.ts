import { clientSecretBasic } from './client-secret-basic';

function sent(id: string, secret: string): string {
  const headers = new Headers();
  const server = { issuer: 'https://issuer.example' };
  clientSecretBasic(secret)(server, { client_id: id }, new URLSearchParams(), headers);
  return Buffer.from(headers.get('authorization')?.replace(/^Basic /, '') ?? '', 'base64').toString();
}

describe('credentials in HTTP Basic', () => {
  it('are as they are where forms need no encoding', () => {
    expect(sent('my-client_1.0*', 'a-b_c.d')).toBe('my-client_1.0*:a-b_c.d');
  });

  it.each(['a:b', 'a b', 'a%20b', 'a+b', 'é', "~!()'", '&=;/?#'])(
    'come back when they are decoded: %s',
    (secret) => {
      const [id = '', encoded = ''] = sent('https://client.example/id', secret).split(':');
      const decoded = (value: string): string | null => new URLSearchParams(`v=${value}`).get('v');
      expect([decoded(id), decoded(encoded)]).toEqual(['https://client.example/id', secret]);
    },
  );
});
