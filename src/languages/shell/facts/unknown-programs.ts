/** Maximum number of names that are looked at in one word. */
const MAX_NAMES = 4;

/**
 * Returns the names of programs that a word may hold: the word itself, the first word of a command in it,
 * such as `rm` in `rm x`, and of the value of an option, such as in `--run=rm` and `-crm`.
 */
export function namesInside(text: string): string[] {
  const isOption = text.startsWith('-');
  const values = isOption ? [] : [text];
  if (text.includes('=')) values.push(text.slice(text.indexOf('=') + 1));
  if (/^-[A-Za-z]/.test(text)) values.push(text.slice(2));
  const names = values.flatMap((value) => /^[|!@+:\s]*([\w./+-]+)/.exec(value)?.[1] ?? []);
  return [...new Set([...(isOption ? [] : [text]), ...names])].slice(0, MAX_NAMES);
}
