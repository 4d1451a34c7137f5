import { intentOf } from './intent';

describe('what a request for a link wants of it', () => {
  const chrome =
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/144.0.0.0 Safari/537.36';

  it.each([
    [chrome],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:147.0) Gecko/20100101 Firefox/147.0'],
    ['Mozilla/5.0 (Linux; Android 10; CUBOT X30) AppleWebKit/537.36 Chrome/144.0.0.0 Mobile Safari/537.36'],
    ['curl/8.5.0'],
    ['Wget/1.24.5'],
    ['node'],
    [''],
  ])('the file, of %s', (agent) => {
    expect(intentOf({ method: 'GET', headers: { 'user-agent': agent } })).toBe('download');
    expect(intentOf({ method: 'HEAD', headers: { 'user-agent': agent } })).toBe('head');
  });

  it.each([
    ['Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)'],
    ['Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)'],
    ['TelegramBot (like TwitterBot)'],
    ['facebookexternalhit/1.1'],
    ['WhatsApp/2.23.20.0'],
    ['Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5'],
    ['LinkedInBot/1.0 (compatible; Mozilla/5.0)'],
  ])('a preview, of %s', (agent) => {
    for (const method of ['GET', 'HEAD']) {
      expect(intentOf({ method, headers: { 'user-agent': agent } })).toBe('preview');
    }
  });

  it.each([
    { 'sec-purpose': 'prefetch' },
    { 'sec-purpose': 'prefetch;prerender' },
    { purpose: 'prefetch' },
    { 'x-purpose': 'preview' },
    { 'x-moz': 'prefetch' },
  ])('a preview, of a browser that says %j', (headers) => {
    expect(intentOf({ method: 'GET', headers: { 'user-agent': chrome, ...headers } })).toBe('preview');
  });
});
