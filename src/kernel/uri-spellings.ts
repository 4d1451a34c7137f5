/** A URI with an authority, also an empty one: `file:///srv`, `https://host/path`. Other names have one spelling. */
const URI = /^[a-z][a-z\d+.-]*:\/\/[^/?#\\]*/i;

/** A server that decodes more often reads what no client can have meant. */
const MAX_DECODINGS = 4;

export interface UriSpellings {
  /** The name as it is, and what others may read in it. */
  readonly spellings: readonly string[];
  readonly hasDotSegments: boolean;
}

/**
 * The spellings of a URI that its server may take for the same: percent-encoded or not, once or several times; scheme and host in
 * small letters; one slash for several, and for backslashes. (RFC 3986, section 6.2.2, and what servers do besides.)
 */
export function uriSpellings(name: string): UriSpellings {
  if (!URI.test(name)) return { spellings: [name], hasDotSegments: false };
  const spellings = new Set([name]);
  let decoded = name;
  for (let times = 0; times < MAX_DECODINGS; times += 1) {
    spellings.add(decoded).add(settled(decoded));
    const next = percentDecoded(decoded);
    if (next === decoded) break;
    decoded = next;
  }
  const all = [...spellings];
  return { spellings: all, hasDotSegments: all.some(isDotted) };
}

function settled(uri: string): string {
  const [origin = ''] = URI.exec(uri) ?? [];
  const rest = uri.slice(origin.length);
  return origin.toLowerCase() + rest.replaceAll('\\', '/').replaceAll(/\/{2,}/g, '/');
}

/** What is no UTF-8 becomes U+FFFD, as with lenient readers. */
function percentDecoded(text: string): string {
  return text.replaceAll(/(?:%[\da-f]{2})+/gi, (bytes) =>
    Buffer.from(bytes.replaceAll('%', ''), 'hex').toString(),
  );
}

/** In the query and the fragment too: not all servers end a path there. */
function isDotted(uri: string): boolean {
  return /[/\\]\.\.?(?:[/\\?#;]|$)/.test(uri.replace(URI, ''));
}
