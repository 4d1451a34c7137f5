import { ANY } from '../reading/word';
import { keepsPrograms } from './paths';

/** Variables whose value is code, or names a program or a file with code, for shells and programs. */
const RUNS_CODE = new RegExp(
  `^(?:${[
    'BASH_(?:ENV|ALIASES|CMDS|FUNC\\w*|LOADABLES_PATH|XTRACEFD)|ENV|PROMPT_COMMAND|SHELLOPTS|BASHOPTS|SHELL',
    'LD_\\w+|DYLD_\\w+|GCONV_PATH|LOCPATH|NLSPATH|TERMINFO\\w*',
    'PERL5?(?:OPT|LIB|DB|5OPT|5LIB|5DB)|PYTHON\\w+|RUBY(?:OPT|LIB)|NODE_(?:OPTIONS|PATH)|\\w*JAVA_(?:TOOL_)?OPTIONS',
    'LUA_\\w+|PHP_INI_SCAN_DIR|PHPRC|AWKPATH|TCLLIBPATH|R_PROFILE\\w*',
    'PAGER|\\w+_?PAGER|EDITOR|VISUAL|\\w+_EDITOR|BROWSER|LESS(?:OPEN|CLOSE)|\\w+_ASKPASS|\\w*_?RSH',
    'GIT_(?:SSH\\w*|EXEC_PATH|TEMPLATE_DIR|CONFIG\\w*|PROXY_COMMAND|EXTERNAL_DIFF|DIR)|TAR_OPTIONS|MAKEFLAGS',
  ].join('|')})$`,
);
const PROMPT = /^PS[0124]$/;
const HARMLESS = /^(?:|cat)$/;

/** Matches text that the shell runs when it expands the text again. */
const CODE = /\$[({[]|`/;
/** Matches the borders of subscripts, and code. */
const BRACKET_OR_CODE = /[[\]`]|\$[({[]/g;

const RUNS_OTHERS = 'sets a variable that makes programs run others';

/**
 * Returns why setting this variable may run code later; undefined if it does not.
 * @param value with `ANY` for what is unknown
 * @param written the whole assignment, as written
 */
export function assignmentHides(name: string, value: string, written: string): string | undefined {
  if (name === 'PATH') return keepsPrograms(written) ? undefined : 'changes where programs are found';
  if (RUNS_CODE.test(name)) return HARMLESS.test(value) && name.endsWith('PAGER') ? undefined : RUNS_OTHERS;
  if (PROMPT.test(name) && value.includes(ANY)) return RUNS_OTHERS;
  return CODE.test(value) ? 'keeps a text with commands in a variable' : undefined;
}

/**
 * Returns why a word may run code when it is used as a number; undefined if it does not. Arithmetic runs the
 * commands in a subscript, wherever the text comes from.
 */
export function subscriptHides(text: string): string | undefined {
  let isInside = false;
  for (const [mark] of text.matchAll(BRACKET_OR_CODE)) {
    if (isInside && (mark === '`' || mark.startsWith('$'))) return 'has a subscript with commands in it';
    isInside = mark === '[' || (isInside && mark !== ']');
  }
  return undefined;
}
