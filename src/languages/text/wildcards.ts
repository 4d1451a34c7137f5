/** Whether a text matches a pattern in which `*` stands for any characters, and `?` for one. */
export function matchesPattern(pattern: string, text: string): boolean {
  let [at, to] = [0, 0];
  let star = -1;
  let resumed = 0;
  while (to < text.length) {
    const wanted = pattern.charAt(at);
    if (wanted === '*') {
      star = at;
      resumed = to;
      at += 1;
    } else if (wanted !== '' && (wanted === '?' || wanted === text.charAt(to))) {
      at += 1;
      to += 1;
    } else if (star !== -1) {
      at = star + 1;
      resumed += 1;
      to = resumed;
    } else return false;
  }
  while (pattern.charAt(at) === '*') at += 1;
  return at === pattern.length;
}

/** Returns what every text that matches the pattern begins with. */
export function literalStart(pattern: string): string {
  const at = pattern.search(/[*?]/);
  return at === -1 ? pattern : pattern.slice(0, at);
}

/** Whether a path matches the pattern, or is a folder that contains what the pattern names. */
export function matchesPath(pattern: string, path: string): boolean {
  return matchesPattern(pattern, path) || literalStart(pattern).startsWith(path === '/' ? '/' : `${path}/`);
}
