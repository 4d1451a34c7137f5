import { isUtf8 } from 'node:buffer';
import { visibleName } from '../../../kernel/text/names';

/** Longer URIs are not compared: no honest one is so long. */
const MAX_LENGTH = 2_048;

/** Schemes whose URIs have a host in each reading (WHATWG, "special schemes"), with their ports. */
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
   * The URI as it is, and what readers may take it for; each in the spelling
   * that is usual, and as `uriKey` writes it.
   */
  readonly readings: readonly string[];
  /** Whether two readers may take it for different things, so that no comparison decides what it is. */
  readonly isAmbiguous: boolean;
}

interface Split {
  /** In small letters; empty: there is none. */
  readonly scheme: string;
  /** Number of slashes that follow the scheme. */
  readonly slashes: number;
  /** The text that follows them. */
  readonly rest: string;
}

const SCHEME = /^([a-z][a-z\d+.-]*):/i;
/** The scheme of a pattern: the signs of patterns may stand in it. */
const PATTERN_SCHEME = /^([a-z*?][a-z\d+.*?-]*):/i;

/**
 * Forms in which readers may understand a URI: the text itself, the URL standard of the WHATWG, RFC 3986 with
 * its normalization (section 6.2), and servers that cut the scheme off and look at the rest: percent-encoded
 * or not, without user, usual port, root dot, query, fragment, parameters or last slash, with any number of
 * slashes, with a host that `file:` does not need, with letters of full width.
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
 * A pattern in the form of the keys among the readings of a URI, so that it is
 * found however it is spelled itself.
 */
export function uriKey(pattern: string): string {
  const { scheme, slashes, rest } = split(plainText(decodedPattern(pattern)), PATTERN_SCHEME);
  if (scheme === 'file') return keyOf(scheme, slashes === 2 ? rest.replace(LOCAL, '') : rest);
  const { user, host, port, after } = authorityOf(rest, /[/#]/);
  return keyOf(scheme, `${user}${knownHost(host)}${shownPort(scheme, port)}${after}`);
}

/** Whether readers of one text disagree about it. */
function isAmbiguous(uri: string): boolean {
  if (uri.length > MAX_LENGTH) return true;
  const decoded = percentDecoded(uri);
  const plain = plainText(decoded);
  // Once or several times, or when letters have their usual form; and bytes that some readers replace.
  if (!hasUtf8Alone(uri) || [decoded, plain].some((text) => percentDecoded(text) !== text)) return true;
  // Some remove control characters, some end there; a backslash is a slash for some.
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
  // A template has expressions for what is not known yet; of other schemes, the name is the server's own.
  if (!isSpecial || /[{}]/.test(host + port)) return false;
  if (port !== '' && !/^:[1-9]\d{0,4}$/.test(port)) return true;
  const small = withoutRootDot(host.toLowerCase());
  if (small.includes('%') || small.normalize('NFKC') !== small) return true;
  // Numbers that are addresses for some; what is no host for some.
  return user !== '' || small === '' || (isAscii(small) ? knownHost(host) !== small : !isHost(host));
}

function addReadings(text: string, readings: Set<string>): void {
  const { scheme, slashes, rest } = split(text, SCHEME);
  // A path that stands alone is a file for some, also one with the letter of a drive.
  if (scheme.length < 2) addReadings(`file:${text}`, readings);
  for (const tail of tailsOf(rest)) {
    for (const body of bodiesOf(scheme, slashes, tail)) {
      const key = keyOf(scheme, body);
      const bare = scheme === '' ? key : key.slice(scheme.length + 1);
      const usual = `${Object.hasOwn(USUAL, scheme) ? USUAL[scheme] : `${scheme}://`}${bare}`;
      readings.add(key).add(usual);
      // The root of a host needs no slash.
      if (body.endsWith('/') || !bare.includes('/')) readings.add(`${key}/`).add(`${usual}/`);
    }
  }
}

/** The start of a name that has no `scheme://`. */
const USUAL: Readonly<Record<string, string>> = { '': '/', file: 'file:///' };

/**
 * With everything, and without what some servers do not read: the fragment,
 * the query, parameters of segments.
 */
function tailsOf(rest: string): Set<string> {
  const [withoutFragment = ''] = rest.split('#', 1);
  const [path = ''] = withoutFragment.split('?', 1);
  return new Set([rest, withoutFragment, path, path.replaceAll(/;[^/]*/g, '')]);
}

/** With what stands before the path, as far as readers look at it. */
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
 * Scheme and rest with single slashes and none at the end. File systems of some servers ignore case, and dots
 * and spaces at an end.
 */
function keyOf(scheme: string, body: string): string {
  const segments = body.split('/').flatMap((segment) => withoutEnd(segment, ' ') || []);
  if (scheme !== 'file') return `${scheme}:${segments.join('/')}`.replace(/^:/, '');
  const names = segments.map((segment) => withoutEnd(segment.toLowerCase().replace(/::\$data$/, ''), '. '));
  return `file:${names.join('/').replace(/^([a-z])\|/, '$1:')}`;
}

/** The name without these characters at its end; a name that has nothing else stays. */
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

/** `user` ends in `@` and `port` begins with a colon, where they are there. */
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

/** Without zeros before it; nothing for the port that is usual for the scheme. */
function shownPort(scheme: string, port: string): string {
  const shown = port.replace(/^:0+(?=\d)/, ':');
  return shown === ':' || (Object.hasOwn(PORTS, scheme) && shown === `:${PORTS[scheme]}`) ? '' : shown;
}

/** One spelling for a host: of a name in other letters, of an address in other numbers. */
function knownHost(host: string): string {
  const small = withoutRootDot(host.toLowerCase());
  // Signs of patterns are no letters of a host.
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

/** Letters in their usual form and without what cannot be seen; a backslash is a slash. */
function plainText(text: string): string {
  return visibleName(text.replaceAll(/[\t\n\r]/g, ''))
    .normalize('NFKC')
    .replaceAll('\\', '/');
}

const ESCAPES = /(?:%[\da-f]{2})+/gi;

function bytesOf(escapes: string): Buffer {
  return Buffer.from(escapes.replaceAll('%', ''), 'hex');
}

/** `%u0041` is no escape of RFC 3986, but some servers read it. */
function percentDecoded(text: string): string {
  return text
    .replaceAll(ESCAPES, (escapes) => bytesOf(escapes).toString())
    .replaceAll(/%u([\da-f]{4})/gi, (_, unit: string) => String.fromCharCode(Number.parseInt(unit, 16)));
}

/** A sign of patterns that is escaped stays so: it stands for itself. */
function decodedPattern(pattern: string): string {
  return pattern.replaceAll(ESCAPES, (escapes) => {
    const text = bytesOf(escapes).toString();
    return /[*?]/.test(text) ? escapes : text;
  });
}

function hasUtf8Alone(uri: string): boolean {
  return (uri.match(ESCAPES) ?? []).every((escapes) => isUtf8(bytesOf(escapes)));
}

/** In the query and the fragment too: not all servers end a path there. */
function isDotted(uri: string): boolean {
  return /(?:^|\/)\.\.? *(?:[/?#;]|$)/.test(uri.replace(SCHEME, ''));
}
