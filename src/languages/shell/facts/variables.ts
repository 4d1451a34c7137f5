import { subscriptHides } from '../reading/subscripts';
import { ANY } from '../reading/word';
import { keepsPrograms } from './paths';

/** Variables whose value is code, or names a program or a file with code, for shells and programs. */
const RUNS_CODE = new RegExp(
  `^(?:${[
    'BASH_(?:ENV|ALIASES|CMDS|FUNC.*|LOADABLES_PATH|XTRACEFD)|ENV|PROMPT_COMMAND|SHELLOPTS|BASHOPTS|SHELL',
    'LD_\\w+|DYLD_\\w+|GCONV_PATH|LOCPATH|NLSPATH|TERMINFO\\w*',
    'PERL5?(?:OPT|LIB|DB|5OPT|5LIB|5DB)|PYTHON\\w+|RUBY(?:OPT|LIB)|NODE_(?:OPTIONS|PATH)|\\w*JAVA_(?:TOOL_)?OPTIONS',
    'LUA_\\w+|PHP_INI_SCAN_DIR|PHPRC|AWKPATH|TCLLIBPATH|R_PROFILE\\w*',
    'PAGER|\\w+_?PAGER|EDITOR|VISUAL|\\w+_EDITOR|BROWSER|LESS(?:OPEN|CLOSE)|\\w+_ASKPASS|\\w*_?RSH',
    'GIT_(?:SSH\\w*|EXEC_PATH|TEMPLATE_DIR|CONFIG\\w*|PROXY_COMMAND|EXTERNAL_DIFF|DIR|COMMON_DIR|ALLOW_PROTOCOL|PROTOCOL\\w*|TEST\\w*)',
    'TAR_OPTIONS|ZIPOPT|PSQLRC|PGSYSCONFDIR|SVN_SSH|HG\\w+|GNUMAKEFLAGS|MAKEF\\w+|WGETRC|APT_CONFIG|GCC_EXEC_PREFIX|COMPILER_PATH|OPENSSL_(?:CONF|ENGINES|MODULES)',
    '\\w+_PASSCOMMAND|\\w+_PASSWORD_COMMAND|\\w+_CONNECT_PROG|XDG_CONFIG_\\w+|DPKG_HOOK\\w*|POSIXLY_CORRECT',
  ].join('|')})$`,
);
const PROMPT = /^PS[0124]$/;
const HARMLESS = /^(?:|cat)$/;

/** Matches text that the shell runs when it expands the text again. */
const CODE = /\$[({[\0]|`/;
const RUNS_OTHERS = 'sets a variable that makes programs run others';

/** Returns why giving this variable to other programs may run code later; undefined if it does not. */
export function exportHides(name: string): string | undefined {
  return RUNS_CODE.test(name) && !/^(?:SHELL|EDITOR|VISUAL|\w*PAGER)$/.test(name) ? RUNS_OTHERS : undefined;
}

/**
 * Returns why setting this variable may run code later; undefined if it does not.
 * @param value with `ANY` for what is unknown
 * @param written the whole assignment, as written
 */
export function assignmentHides(name: string, value: string, written: string): string | undefined {
  if (name === 'PATH') return keepsPrograms(written) ? undefined : 'changes where programs are found';
  if (RUNS_CODE.test(name)) return HARMLESS.test(value) && name.endsWith('PAGER') ? undefined : RUNS_OTHERS;
  if (CODE.test(value)) return 'keeps a text with commands in a variable';
  const isPrompt = PROMPT.test(name) && (value.includes(ANY) || (name === 'PS4' && /[$(]/.test(value)));
  return isPrompt ? RUNS_OTHERS : subscriptHides(value);
}
