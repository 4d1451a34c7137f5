/** A change of a URI, as [name, function]. Some parsers see the same URI before and after the change. */
type Change = readonly [string, (uri: string) => string];

/** Returns the characters in full width. Compatibility normalization (NFKC) undoes this. */
const wide = (text: string): string =>
  text.replaceAll(/[!-~]/g, (letter) => String.fromCodePoint(letter.codePointAt(0)! + 0xfe_e0));
const hex = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');

/** Changes the host of a URI that has an authority without a port. */
const host = (change: (host: string) => string) => (uri: string) =>
  uri.replace(/^([a-z]+:\/\/)([^/]+)/i, (_, scheme: string, name: string) => scheme + change(name));
/** Changes the path of a URI. */
const path = (change: (path: string) => string) => (uri: string) =>
  uri.replace(/^([a-z]+:\/*[^/]*\/)(.+)$/i, (_, before: string, rest: string) => before + change(rest));
/** Changes the slashes after the scheme. Skips file URIs with a host, which would then name another file. */
const slashes = (written: string) => (uri: string) =>
  /^file:\/\/[^/]/i.test(uri) ? uri : uri.replace(/:\/+/, `:${written}`);
const ofFile = (change: (uri: string) => string) => (uri: string) =>
  /^file:.*[a-z]$/i.test(uri) && !uri.endsWith('$DATA') ? change(uri) : uri;
const last = (change: (letter: string) => string) => path((rest) => rest.replace(/\w(?=\W*$)/, change));

const CHANGES: readonly Change[] = [
  ['capitals in the scheme', (uri) => uri.replace(/^[a-z]+/i, (scheme) => scheme.toUpperCase())],
  ['one capital in the scheme', (uri) => uri.replace(/^[a-z]/, (letter) => letter.toUpperCase())],
  ['no slash', slashes('')],
  ['one slash', slashes('/')],
  ['three slashes', slashes('///')],
  ['five slashes', slashes('/////')],
  ['backslashes', (uri) => uri.replaceAll('/', '\\')],
  ['backslashes after the scheme', (uri) => uri.replace('://', ':\\\\')],
  ['a backslash in the path', path((rest) => rest.replace('/', '\\'))],
  ['a tab in the scheme', (uri) => uri.replace(/^../, (begin) => `${begin}\t`)],
  ['a tab in the path', last((letter) => `\t${letter}`)],
  ['a line break in the path', last((letter) => `\n${letter}`)],
  ['a carriage return between slashes', (uri) => uri.replace('//', '/\r/')],
  ['a line break at the end', (uri) => `${uri}\r\n`],
  ['a space before it', (uri) => ` ${uri}`],
  ['a space after it', (uri) => `${uri} `],
  ['a control character before it', (uri) => `\u0001${uri}`],
  ['an encoded tab', last((letter) => `%09${letter}`)],
  ['an encoded NUL at the end', (uri) => `${uri}%00.txt`],
  ['a zero-width space', last((letter) => `\u200B${letter}`)],
  ['a soft hyphen in the host', host((name) => name.replace(/^./, (letter) => `${letter}\u00AD`))],
  ['a user', host((name) => `user@${name}`)],
  ['a user with a password', host((name) => `user:word@${name}`)],
  ['an empty user', host((name) => `@${name}`)],
  ['two users', host((name) => `other@user@${name}`)],
  ['an encoded user', host((name) => `${hex('user')}@${name}`)],
  ['the usual port', (uri) => host((name) => `${name}:${/^https/i.test(uri) ? 443 : 5432}`)(uri)],
  ['the usual port with a zero', host((name) => `${name}:0443`)],
  ['an empty port', host((name) => `${name}:`)],
  ['the root dot', host((name) => `${name}.`)],
  ['capitals in the host', host((name) => name.toUpperCase())],
  ['one capital in the host', host((name) => name.replace(/^./, (letter) => letter.toUpperCase()))],
  ['a host in full width', host(wide)],
  ['a letter of the host in full width', host((name) => name.replace(/^./, wide))],
  ['a dot of Chinese', host((name) => name.replace('.', '\u3002'))],
  ['an encoded host', host((name) => name.replace(/^./, hex))],
  ['localhost', (uri) => uri.replace(/^file:\/\/\//i, 'file://localhost/')],
  ['LOCALHOST', (uri) => uri.replace(/^file:\/\/\//i, 'file://LOCALHOST/')],
  ['an address of this machine', (uri) => uri.replace(/^file:\/\/\//i, 'file://127.0.0.1/')],
  ['some host', (uri) => uri.replace(/^file:\/\/\//i, 'file://any.example/')],
  ['a path alone', (uri) => uri.replace(/^file:\/\/(?=\/)/i, '')],
  ['a scheme in full width', (uri) => uri.replace(/^[a-z]+/i, wide)],
  ['a colon in full width', (uri) => uri.replace(':', '\uFF1A')],
  ['slashes in full width', (uri) => uri.replaceAll('/', '\uFF0F')],
  ['a letter of the path in full width', last(wide)],
  ['an encoded letter', last(hex)],
  ['encoded in capitals', path((rest) => hex(rest).toUpperCase())],
  ['encoded twice', last((letter) => hex(letter).replace('%', '%25'))],
  ['encoded three times', last((letter) => hex(letter).replace('%', '%2525'))],
  ['an encoded slash', path((rest) => rest.replace('/', '%2F'))],
  ['encoded slashes after the scheme', (uri) => uri.replace('://', ':%2f%2f')],
  ['an encoded colon', (uri) => uri.replace(':', '%3A')],
  ['an encoded backslash', path((rest) => rest.replace('/', '%5c'))],
  ['an escape of other servers', last((letter) => `%u00${hex(letter).slice(1)}`)],
  ['an encoded letter in full width', last((letter) => hex(wide(letter)))],
  ['an overlong letter', last((letter) => `%C1%${(letter.charCodeAt(0) - 0x40 + 0x80).toString(16)}`)],
  ['two slashes in the path', path((rest) => rest.replaceAll('/', '//'))],
  ['a slash at the end', (uri) => `${uri}/`],
  ['two slashes at the end', (uri) => `${uri}//`],
  ['a dot segment', path((rest) => `./${rest}`)],
  ['a way up', path((rest) => `x/../${rest}`)],
  ['an encoded way up', path((rest) => `x/%2e%2E/${rest}`)],
  ['a way up in full width', path((rest) => `x/\uFF0E\uFF0E/${rest}`)],
  ['a way up with parameters', path((rest) => `x/..;a=b/${rest}`)],
  ['a dot segment at the end', (uri) => `${uri}/.`],
  ['an empty query', (uri) => `${uri}?`],
  ['a query', (uri) => `${uri}?a=b`],
  ['an encoded query', (uri) => `${uri}%3fa=b`],
  ['an empty fragment', (uri) => `${uri}#`],
  ['a fragment', (uri) => `${uri}#a/b`],
  ['parameters', (uri) => `${uri};a=b`],
  ['parameters of a segment', path((rest) => rest.replace('/', ';a=b/'))],
  ['brackets', (uri) => `<${uri}>`],
  ['a word before it', (uri) => `url:${uri}`],
  ['a word before it in brackets', (uri) => `<URL:${uri}>`],
  ['a path in capitals', ofFile(path((rest) => rest.toUpperCase()))],
  ['a dot at the end of a file', ofFile((uri) => `${uri}.`)],
  ['a stream of a file', ofFile((uri) => `${uri}::$DATA`)],
];

export interface UriSpelling {
  readonly name: string;
  readonly uri: string;
}

/**
 * Returns spellings that some parsers treat as the same URI. Each spelling differs from the URI by one or two
 * changes. The result has no duplicates.
 */
export function uriSpellingsOf(uri: string): UriSpelling[] {
  const found = new Map<string, string>();
  for (const [name, change] of CHANGES) if (!found.has(change(uri))) found.set(change(uri), name);
  for (const [name, change] of CHANGES)
    for (const [other, second] of CHANGES) {
      const both = second(change(uri));
      if (name !== other && !found.has(both)) found.set(both, `${name}, then ${other}`);
    }
  found.delete(uri);
  return [...found].map(([spelling, name]) => ({ name, uri: spelling }));
}

/** Addresses that the URL standard resolves to 127.0.0.1, that is, to this machine. */
export const LOCAL_ADDRESSES: readonly string[] = [
  'http://127.1/meta',
  'http://127.0.1/meta',
  'http://2130706433/meta',
  'http://0x7f000001/meta',
  'http://0x7F.0.0.0x1/meta',
  'http://017700000001/meta',
  'http://0177.0.0.1/meta',
  'http://127.0.0.1./meta',
  'http://\u2460\u2461\u2466.\u24EA.\u24EA.\u2460/meta',
  'http://127\u30020\u30020\u30021/meta',
  'http://%3127.0.0.1/meta',
];
