import { marked, unmarked } from '../../../test/support/marked-spans';
import { email } from './email';

describe('the detector email', () => {
  it.each([
    '«a@b.co»',
    'to «jane.doe@example.com», please',
    '<«jane+tag@example.co.uk»>',
    '"«o\'hara@example.org»"',
    '| «JANE@EXAMPLE.COM» | x |',
    '«a@b.example».',
    '«jörg@müller.example»',
    '«x_y%z@sub-domain.example.com»;«b@c.de»',
    'mailto:«me@example.com»?subject=x',
    '{"m":"one\\n«next@example.com»\\n"}',
    '«1@2.example»',
    '..«a@example.com»',
    'a..«b@example.com»',
    '«user@xn--bcher-kva.example»',
    '«user@example.xn--p1ai»',
    `${'x'.repeat(10)}«${'l'.repeat(64)}@example.com»`,
    '\u00a0«a@example.com»\u200b',
    '«n@example.com»',
    '\\«n@example.com»',
  ])('finds %s', (shown) => {
    expect(marked(email, unmarked(shown))).toBe(shown);
  });

  it.each([
    '@',
    'a@',
    '@example.com',
    'a@b',
    'user@localhost',
    'user@192.168.0.1',
    'lodash@4.17.21',
    '@angular/core@19.2.0',
    'a @ b.com',
    'a@-b.com',
    'a@b-.com',
    'a@.com',
    'a@b..com',
    'a@b.c',
    'a@b.c1',
    'a@b.com_x',
    '.@example.com',
    `a@${'l'.repeat(64)}.com`,
    `a@${'label123.'.repeat(30)}com`,
    'SELECT @x.y',
  ])('does not find %s', (text) => {
    expect(marked(email, text)).toBe(text);
  });
});
