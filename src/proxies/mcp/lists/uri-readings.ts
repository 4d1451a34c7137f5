import { isUtf8 } from 'node:buffer';
import { visibleName } from '../../../kernel/text/names';

/** Maximum length of a compared URI in characters. No honest URI is longer. */
const MAX_LENGTH = 2_048;

/** Special schemes of the WHATWG URL standard whose URIs always have a host, with their default ports. */
const SPECIAL: Readonly<Record<string, string>> = {
  http: '80',
  https: '443',
  ws: '80',
  wss: '443',
  ftp: '21',
};

const PORTS: Readonly<Record<string, string>> = {
  ...SPECIAL,
  ssh: '22',
  sftp: '22',
  ldap: '389',
  mysql: '3306',
  mariadb: '3306',
  postgres: '5432',
  postgresql: '5432',
  amqp: '5672',
  redis: '6379',
  mongodb: '27017',
};

export interface UriReadings {
  /**
   * The URI itself, and the forms in which programs may read it. Each form is in its usual spelling and in
   * the spelling of `uriKey`.
   */
  readonly readings: readonly string[];
  /** Whether two programs may read the URI differently, so that no comparison is safe. */
  readonly isAmbiguous: boolean;
}

interface Split {
  /** Scheme in lower case; empty without one. */
  readonly scheme: string;
  /** Number of slashes after the scheme. */
  readonly slashes: number;
  /** Text after the slashes. */
  readonly rest: string;
}

const SCHEME = /^([a-z][a-z\d+.-]*):/i;
/** Matches the scheme of a pattern, which may contain wildcards. */
const PATTERN_SCHEME = /^([a-z*?][a-z\d+.*?-]*):/i;

/**
 * Returns the forms in which programs may read a URI: the text itself, its form by the WHATWG URL standard,
 * its form by RFC 3986 (normalization, section 6.2), and forms for servers that cut off the scheme and read
 * the rest. The forms differ in percent-encoding, user, default port, root dot, query, fragment, path
 * parameters, last slash, number of slashes, the optional host of `file:`, and full-width letters.
 */
export function uriReadings(uri: string): UriReadings {
  if (isAmbiguous(uri)) return { readings: [uri], isAmbiguous: true };
  const decoded = percentDecoded(uri);
  const readings = new Set([uri, visibleName(uri), decoded]);
  if (URL.canParse(uri)) addReadings(new URL(uri).href, readings);
  for (const text of [uri, decoded]) addReadings(plainText(text), readings);
  return { readings: [...readings], isAmbiguous: false };
}

/**
 * Converts a pattern to the normalized spelling that `uriReadings` also returns, so that patterns may be
 * spelled in any way.
 */
export function uriKey(pattern: string): string {
  const { scheme, slashes, rest } = split(plainText(decodedPattern(pattern)), PATTERN_SCHEME);
  if (scheme === 'file') return keyOf(scheme, slashes === 2 ? rest.replace(LOCAL, '') : rest);
  const { user, host, port, after } = authorityOf(rest, /[/#]/);
  return keyOf(scheme, `${user}${knownHost(host)}${shownPort(scheme, port)}${after}`);
}

/** Whether programs may read the URI differently. */
function isAmbiguous(uri: string): boolean {
  if (uri.length > MAX_LENGTH) return true;
  const decoded = percentDecoded(uri);
  const plain = plainText(decoded);
  // Ambiguous: percent-encoding that is nested or that appears only after normalization, and bytes that some
  // programs replace because they are not UTF-8.
  if (!hasUtf8Alone(uri) || [decoded, plain].some((text) => percentDecoded(text) !== text)) return true;
  // Some programs remove a control character, others end the URI there. Some treat a backslash as a slash.
  if (/[\p{Cc}\\]/u.test(decoded) || uri.trim() !== uri) return true;
  if (isDotted(plain) || /^<|^url:/i.test(plain)) return true;
  return isUnsureAuthority(uri) || isUnsureAuthority(plain);
}

function isUnsureAuthority(uri: string): boolean {
  const { scheme, slashes, rest } = split(uri, SCHEME);
  if (scheme === '') return slashes > 1;
  if (scheme === 'file') return slashes === 0;
  const isSpecial = Object.hasOwn(SPECIAL, scheme);
  if (slashes !== 2) return isSpecial;
  const { user, host, port } = authorityOf(rest, /[/?#]/);
  if (user.indexOf('@') !== user.length - 1) return true;
  // Does not check the host of a URI template, which may be a variable, or the host of a scheme that is not
  // special, which may be any name.
  if (!isSpecial || /[{}]/.test(host + port)) return false;
  if (port !== '' && !/^:[1-9]\d{0,4}$/.test(port)) return true;
  const small = withoutRootDot(host.toLowerCase());
  if (small.includes('%') || small.normalize('NFKC') !== small) return true;
  // Some programs treat a number as an IP address, and programs differ in the hosts that they accept.
  return user !== '' || small === '' || (isAscii(small) ? knownHost(host) !== small : !isHost(host));
}

function addReadings(text: string, readings: Set<string>): void {
  const { scheme, slashes, rest } = split(text, SCHEME);
  // Some programs treat a path without a scheme as a file. A scheme of one letter may be a Windows drive.
  if (scheme.length < 2) addReadings(`file:${text}`, readings);
  for (const tail of tailsOf(rest)) {
    for (const body of bodiesOf(scheme, slashes, tail)) {
      const key = keyOf(scheme, body);
      const bare = scheme === '' ? key : key.slice(scheme.length + 1);
      const usual = `${Object.hasOwn(USUAL, scheme) ? USUAL[scheme] : `${scheme}://`}${bare}`;
      readings.add(key).add(usual);
      // Adds the form with a last slash. A host alone means its root path.
      if (body.endsWith('/') || !bare.includes('/')) readings.add(`${key}/`).add(`${usual}/`);
    }
  }
}

/** Usual start of a URI, for schemes that are not followed by `://` and a host. */
const USUAL: Readonly<Record<string, string>> = { '': '/', file: 'file:///' };

/**
 * Returns the text unchanged, and without the parts that some servers ignore: the fragment, the query, and
 * parameters of path segments.
 */
function tailsOf(rest: string): Set<string> {
  const [withoutFragment = ''] = rest.split('#', 1);
  const [path = ''] = withoutFragment.split('?', 1);
  return new Set([rest, withoutFragment, path, path.replaceAll(/;[^/]*/g, '')]);
}

/** Returns the text in all variants of its authority: with and without user, port, and host of `file:`. */
function bodiesOf(scheme: string, slashes: number, rest: string): Set<string> {
  const bodies = new Set([rest]);
  if (scheme === 'file') {
    if (slashes === 2 || slashes > 3) bodies.add(rest.replace(/^[^/]*\//, ''));
    return bodies;
  }
  const { user, host, port, after } = authorityOf(rest, /[/?#]/);
  const shown = shownPort(scheme, port);
  const ports = Object.hasOwn(SPECIAL, scheme) ? [shown] : [shown, ''];
  for (const who of [user, '']) for (const one of ports) bodies.add(`${who}${knownHost(host)}${one}${after}`);
  return bodies;
}

const LOCAL = /^(?:localhost|127\.0\.0\.1|\[::1\])(?=\/|$)/i;

/**
 * Returns scheme and body with single slashes and without a last slash. For files, also ignores case, and
 * dots and spaces at the end of names, because some servers' file systems do.
 */
function keyOf(scheme: string, body: string): string {
  const segments = body.split('/').flatMap((segment) => withoutEnd(segment, ' ') || []);
  if (scheme !== 'file') return `${scheme}:${segments.join('/')}`.replace(/^:/, '');
  const names = segments.map((segment) => withoutEnd(segment.toLowerCase().replace(/::\$data$/, ''), '. '));
  return `file:${names.join('/').replace(/^([a-z])\|/, '$1:')}`;
}

/**
 * Removes the characters in `ends` from the end of a name. A name that consists only of them stays unchanged.
 */
function withoutEnd(name: string, ends: string): string {
  let end = name.length;
  while (end > 0 && ends.includes(name.charAt(end - 1))) end -= 1;
  return end === 0 ? name : name.slice(0, end);
}

function split(text: string, scheme: RegExp): Split {
  const [head = '', name = ''] = scheme.exec(text) ?? [];
  const after = text.slice(head.length);
  const slashes = /^\/*/.exec(after)?.[0].length ?? 0;
  return { scheme: name.toLowerCase(), slashes, rest: after.slice(slashes) };
}

/** Splits off the authority. `user` includes its `@` and `port` its colon; both may be empty. */
function authorityOf(
  rest: string,
  end: RegExp,
): { readonly user: string; readonly host: string; readonly port: string; readonly after: string } {
  const found = rest.search(end);
  const authority = found === -1 ? rest : rest.slice(0, found);
  const user = authority.slice(0, authority.lastIndexOf('@') + 1);
  const place = authority.slice(user.length);
  const colon = place.indexOf(':', place.lastIndexOf(']') + 1);
  const [host, port] = colon === -1 ? [place, ''] : [place.slice(0, colon), place.slice(colon)];
  return { user, host, port, after: rest.slice(authority.length) };
}

/** Removes leading zeros from a port. Returns an empty text for the scheme's default port. */
function shownPort(scheme: string, port: string): string {
  const shown = port.replace(/^:0+(?=\d)/, ':');
  return shown === ':' || (Object.hasOwn(PORTS, scheme) && shown === `:${PORTS[scheme]}`) ? '' : shown;
}

/** Returns the usual spelling of a host: a name in lower case and Punycode, an address in its common form. */
function knownHost(host: string): string {
  const small = withoutRootDot(host.toLowerCase());
  // A pattern with wildcards, or a template, is not a valid host.
  return /[*?{}]/.test(small) || !isHost(small) ? small : withoutRootDot(new URL(`http://${small}`).hostname);
}

function isHost(host: string): boolean {
  return host !== '' && URL.canParse(`http://${host}`);
}

function withoutRootDot(host: string): string {
  return host.endsWith('.') ? host.slice(0, -1) : host;
}

function isAscii(text: string): boolean {
  return /^[ -~]*$/.test(text);
}

/** Normalizes letters (NFKC), removes invisible characters, and turns backslashes into slashes. */
function plainText(text: string): string {
  return visibleName(text.replaceAll(/[\t\n\r]/g, ''))
    .normalize('NFKC')
    .replaceAll('\\', '/');
}

const ESCAPES = /(?:%[\da-f]{2})+/gi;

function bytesOf(escapes: string): Buffer {
  return Buffer.from(escapes.replaceAll('%', ''), 'hex');
}

/** Decodes percent-encoding, also `%u0041`, which is not part of RFC 3986 but which some servers decode. */
function percentDecoded(text: string): string {
  return text
    .replaceAll(ESCAPES, (escapes) => bytesOf(escapes).toString())
    .replaceAll(/%u([\da-f]{4})/gi, (_, unit: string) => String.fromCharCode(Number.parseInt(unit, 16)));
}

/**
 * Decodes percent-encoding, but keeps encoded `*` and `?`, because the encoded characters are no wildcards.
 */
function decodedPattern(pattern: string): string {
  return pattern.replaceAll(ESCAPES, (escapes) => {
    const text = bytesOf(escapes).toString();
    return /[*?]/.test(text) ? escapes : text;
  });
}

function hasUtf8Alone(uri: string): boolean {
  return (uri.match(ESCAPES) ?? []).every((escapes) => isUtf8(bytesOf(escapes)));
}

/**
 * Whether a text has a `.` or `..` segment, in its query or fragment too, because some servers read both as
 * path.
 */
function isDotted(uri: string): boolean {
  return /(?:^|\/)\.\.? *(?:[/?#;]|$)/.test(uri.replace(SCHEME, ''));
}
