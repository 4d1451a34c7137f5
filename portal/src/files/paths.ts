import type { Bytes } from './packets';

/** Path on a server, as the server writes it: any bytes but NUL, and not always UTF-8. */
export type RemotePath = Bytes;

const ENCODER = new TextEncoder();
const DECODER = new TextDecoder();
const SLASH = 0x2f;

/** A path, or a name, as text. What is no UTF-8 is U+FFFD, so a path is never made of such a text. */
export function shown(path: RemotePath): string {
  return DECODER.decode(path);
}

export function textBytes(text: string): RemotePath {
  return ENCODER.encode(text);
}

/** The path of an entry of a folder. */
export function within(folder: RemotePath, name: RemotePath): RemotePath {
  const hasSlash = folder.at(-1) === SLASH;
  const path = new Uint8Array(folder.length + (hasSlash ? 0 : 1) + name.length);
  path.set(folder);
  if (!hasSlash) path[folder.length] = SLASH;
  path.set(name, path.length - name.length);
  return path;
}

/** The folders above a path, from the root on, and itself. */
export function lineage(path: RemotePath): readonly { readonly name: string; readonly path: RemotePath }[] {
  const parts = [{ name: '/', path: textBytes('/') }];
  for (let at = 1; at < path.length;) {
    const next = path.indexOf(SLASH, at);
    const end = next === -1 ? path.length : next;
    if (end > at) parts.push({ name: shown(path.slice(at, end)), path: path.slice(0, end) });
    at = end + 1;
  }
  return parts;
}
