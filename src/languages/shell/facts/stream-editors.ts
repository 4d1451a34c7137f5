/** One address of sed: a line number, `$`, or a pattern. */
const ADDRESS = String.raw`(?:\d+(?:~\d+)?|\$|\+\d+|/(?:[^/\\\n]|\\.)*/I?M?)`;
const SUBSTITUTION = String.raw`s([^\w\s\\])(?:(?!\1)[^\\\n]|\\[^])*\1(?:(?!\1)[^\\\n]|\\[^])*\1[gpiImM\d]*`;
const TRANSLITERATION = String.raw`y([^\w\s\\])(?:(?!\2)[^\\\n]|\\[^])*\2(?:(?!\2)[^\\\n]|\\[^])*\2`;
const TEXT = String.raw`[aic](?:\\\n|\\?[ \t]*)[^\n]*`;
const SIMPLE = String.raw`[pdqQnNhHgGxPDl=]\d*|[bt][ \t]*\w*|:[ \t]*\w+|[{}]`;
const COMMAND = new RegExp(
  String.raw`[\s;]*(?:${ADDRESS}(?:,${ADDRESS})?)?[ \t]*!?[ \t]*(?:${SUBSTITUTION}|${TRANSLITERATION}|${TEXT}|${SIMPLE})?[ \t]*(?=[;\n{}]|$)|[\s;]*#[^\n]*|[\s;{}]+`,
  'y',
);

/** Maximum length of a script that is examined. */
const EXAMINED = 4_096;

/**
 * Whether a script for sed consists only of commands that edit text. False for one that runs commands (`e`),
 * reads or writes files, or is not understood.
 */
export function isHarmlessSed(script: string): boolean {
  if (script.length > EXAMINED) return false;
  // Fewer spaces mean fewer ways to match them.
  const short = script.replaceAll(/[ \t]+/g, ' ');
  for (let at = 0; at < short.length; at = COMMAND.lastIndex) {
    COMMAND.lastIndex = at;
    const found = COMMAND.exec(short);
    if (found === null || found[0] === '') return false;
  }
  return true;
}

/** Whether a program for awk runs no command: it prints to no pipe, and calls nothing that runs one. */
export function isHarmlessAwk(program: string): boolean {
  const first = program.search(/\bprintf?\b/);
  const printed = first === -1 ? '' : program.slice(first);
  return !/\b(?:system|getline)\b|@\s*\w|\|&/.test(program) && !/(?<!\|)\|(?!\|)/.test(printed);
}
