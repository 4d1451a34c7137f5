import * as fc from '../../../../test/support/fast-check';
import { redirectPlace } from './redirect-place';

const FROM = new URL('https://mcp.example.com/mcp');

describe('where a redirect leads', () => {
  it.each([
    ['/mcp/', 'https://mcp.example.com/mcp/'],
    ['mcp/', 'https://mcp.example.com/mcp/'],
    ['//other.example.com/mcp', 'https://other.example.com/mcp'],
    ['http://other.example.com:8080/mcp?key=secret#secret', 'http://other.example.com:8080/mcp'],
    ['https://user:secret@other.example.com/mcp', 'https://other.example.com/mcp'],
    ['/api/s/0123456789abcdef0123/mcp/', 'https://mcp.example.com/api/s/…/mcp/'],
    [`/${'a/'.repeat(200)}`, 'https://mcp.example.com'],
    ['file:///etc/passwd', undefined],
    ['javascript:alert(1)', undefined],
    ['http://', undefined],
    [undefined, undefined],
  ])('%j: %j', (location, place) => expect(redirectPlace(location, FROM)).toBe(place));

  it('is an address of printable letters, whatever the server writes', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.webUrl(), fc.webPath()), (location) => {
        const place = redirectPlace(location, FROM);
        if (place === undefined) return;
        expect(place).toMatch(/^https?:\/\/[!-~…]+$/);
        expect(place.length).toBeLessThanOrEqual(300);
      }),
    );
  });
});
