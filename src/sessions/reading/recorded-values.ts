/** The beginning of the recorded values of a command, in the form of psql's meta-command. */
const HEAD = /^\\bind(_named)?(?= |$)/;

/**
 * Yields the texts of a recorded input of values, each as the gate judges it: the values that were bound, or
 * the rows of a COPY as they are.
 */
export function* valuesIn(text: string): Generator<string> {
  const head = HEAD.exec(text);
  if (head === null) return yield text;
  let isName = head[1] !== undefined;
  // A space precedes each name and value, so the character after it begins one: a quote, or NULL.
  for (let at = head[0].length + 1; at < text.length;) {
    const isQuoted = text[at] === "'";
    const end = isQuoted ? endOfQuoted(text, at + 1) : endOfWord(text, at);
    const value = isQuoted ? text.slice(at + 1, end).replaceAll("''", "'") : '';
    if (value !== '' && !isName) yield value;
    isName = false;
    at = isQuoted ? end + 2 : end + 1;
  }
}

function endOfWord(text: string, from: number): number {
  const end = text.indexOf(' ', from);
  return end === -1 ? text.length : end;
}

/** Returns the place of the closing quote; the length of a text that was cut off. */
function endOfQuoted(text: string, from: number): number {
  for (let at = text.indexOf("'", from); at !== -1; at = text.indexOf("'", at + 2))
    if (text[at + 1] !== "'") return at;
  return text.length;
}
