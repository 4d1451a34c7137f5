import { isUtf8Name } from '../../../languages/postgresql/lexing/encoding-names';
import { decodeBody } from '../../../languages/postgresql/lexing/literal-body';
import { SqlLexer } from '../../../languages/postgresql/lexing/lexer';
import type { Refused } from './refusals';
import type { BoundValues } from '../wire/client-messages';
import type { Text } from '../../../kernel/text/long-text';
import { textOf } from '../../../kernel/text/utf8';

/** A text, or a parameter by its index from 0. */
type Argument = { readonly text: string } | { readonly parameter: number };

/** A `set_config` call whose arguments are known only when values are bound. */
export interface SettingCall {
  readonly name: Argument;
  readonly value: Argument;
}

/** Effect of a text on `client_encoding`. */
export interface EncodingChange {
  /** The reason when the text sets an encoding other than UTF8. */
  readonly refused: Refused | undefined;
  readonly calls: readonly SettingCall[];
}

interface Token {
  readonly kind: 'word' | 'string' | 'parameter' | 'semicolon' | 'other';
  /**
   * Text of the token: an unquoted word in lower case, the content of a quoted string or name, or the number
   * of a parameter.
   */
  readonly text: string;
}

const NONE: EncodingChange = { refused: undefined, calls: [] };
/**
 * Maximum length of a searched text. A longer text that changes the encoding ends the session, because the
 * server reports the change.
 */
const MAX_LENGTH = 32 * 1024;
const SETTING = 'client_encoding';
const WORDS = /client_encoding|names|set_config|u&/i;

/**
 * Finds `SET client_encoding`, `SET NAMES` and `set_config` calls with plain arguments, so that the gateway
 * refuses only the statement and keeps the session. Any other way to change the encoding (a function, DO,
 * `EXECUTE … USING`) ends the session when the server reports the change.
 */
export function encodingChange(sql: Text): EncodingChange {
  if (typeof sql !== 'string' || sql.length > MAX_LENGTH || !WORDS.test(sql)) return NONE;
  const tokens = tokensOf(sql);
  const calls: SettingCall[] = [];
  let refused: Refused | undefined;
  for (let at = 0; at < tokens.length; at += 1) {
    const isStart = at === 0 || tokens[at - 1]?.kind === 'semicolon';
    if (isStart) refused ??= refusedValue(settingOf(tokens, at));
    const call = isWord(tokens[at], 'set_config') ? callAt(tokens, at + 1) : undefined;
    if (call === undefined) continue;
    if ('text' in call.name && 'text' in call.value) refused ??= refusedCall(call.name.text, call.value.text);
    else calls.push(call);
  }
  return { refused, calls };
}

/**
 * Returns the reason if these values must not be bound to a statement that contains these `set_config` calls.
 */
export function refusedBinding(calls: readonly SettingCall[], values: BoundValues): Refused | undefined {
  const textIn = (argument: Argument): string =>
    'text' in argument ? argument.text : shortText(values.at(argument.parameter)?.bytes ?? null);
  for (const { name, value } of calls) {
    const refused = refusedCall(textIn(name), textIn(value));
    if (refused !== undefined) return refused;
  }
  return undefined;
}

/** Returns the beginning of a value as text. The beginning is longer than any encoding name. */
function shortText(bytes: Buffer | null): string {
  return bytes === null ? '' : textOf(bytes.subarray(0, MAX_LENGTH));
}

function refusedCall(name: string, value: string): Refused | undefined {
  return name.toLowerCase() === SETTING ? refusedValue(value) : undefined;
}

function refusedValue(encoding: string | undefined): Refused | undefined {
  if (encoding === undefined || isUtf8Name(encoding)) return undefined;
  const message = `client_encoding cannot be set to ${encoding.slice(0, 63)}: the gateway reads texts in UTF8 only. Use UTF8.`;
  return { code: '0A000', message };
}

/**
 * The value in `SET [SESSION | LOCAL] client_encoding {TO | =} value` and in `SET … NAMES value`; undefined
 * for other statements and for DEFAULT.
 */
function settingOf(tokens: readonly Token[], start: number): string | undefined {
  if (!isWord(tokens[start], 'set')) return undefined;
  const at = start + (isWord(tokens[start + 1], 'session', 'local') ? 2 : 1);
  const isNames = isWord(tokens[at], 'names');
  if (!isNames && tokens[at]?.text.toLowerCase() !== SETTING) return undefined;
  const value = tokens[isNames ? at + 1 : at + 2];
  if (value === undefined || value.kind === 'semicolon' || isWord(value, 'default')) return undefined;
  return value.text;
}

/**
 * Returns the first two arguments of a function call, if each is a literal or a parameter, possibly with a
 * cast.
 */
function callAt(tokens: readonly Token[], at: number): SettingCall | undefined {
  if (tokens[at]?.text !== '(') return undefined;
  const name = argumentAt(tokens, at + 1);
  if (name === undefined || tokens[name.end]?.text !== ',') return undefined;
  const value = argumentAt(tokens, name.end + 1);
  if (value === undefined || tokens[value.end]?.text !== ',') return undefined;
  return { name: name.argument, value: value.argument };
}

function argumentAt(
  tokens: readonly Token[],
  start: number,
): { argument: Argument; end: number } | undefined {
  const token = tokens[start];
  if (token?.kind !== 'string' && token?.kind !== 'parameter') return undefined;
  let end = start + 1;
  while (tokens[end]?.text === ':' && tokens[end + 1]?.text === ':' && tokens[end + 2]?.kind === 'word')
    end += 3;
  const argument = token.kind === 'string' ? { text: token.text } : { parameter: Number(token.text) - 1 };
  return { argument, end };
}

function isWord(token: Token | undefined, ...words: readonly string[]): boolean {
  return token?.kind === 'word' && words.includes(token.text);
}

function tokensOf(sql: string): Token[] {
  const lexer = new SqlLexer(sql);
  const tokens: Token[] = [];
  while (lexer.next()) {
    const token = tokenAt(lexer);
    if (token !== undefined) tokens.push(token);
  }
  return tokens;
}

function tokenAt(lexer: SqlLexer): Token | undefined {
  const { kind, source, start, end } = lexer;
  const written = source.slice(start, end);
  switch (kind) {
    case 'space':
    case 'comment':
      return undefined;
    case 'name':
      return { kind: 'word', text: written.toLowerCase() };
    case 'quoted name':
      return { kind: 'word', text: decodeBody(source, lexer.body).text };
    case 'string':
      return { kind: 'string', text: decodeBody(source, lexer.body).text };
    case 'parameter':
      return { kind: 'parameter', text: written.slice(1) };
    case 'semicolon':
      return { kind: 'semicolon', text: written };
    case 'number':
    case 'other':
      return { kind: 'other', text: written };
  }
}
