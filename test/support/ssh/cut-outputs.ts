import type { RuleEntry } from '../../../src/guardrails/entries/rule-entry';
import { detector, pattern, words } from '../rule-entries';

/** An output of a program with a text that a rule masks. */
export interface MaskedOutput {
  readonly name: string;
  readonly bytes: Buffer;
  readonly isTerminal: boolean;
  /** The texts that must not be delivered. */
  readonly secrets: readonly string[];
}

/** Texts that rules mask: a word, a number of a detector, a pattern. */
const SECRETS = ['geheim ä', '4111-1111-1111-1111', 'key-7f3a9c'] as const;

export const MASKS: readonly RuleEntry[] = [
  words(['geheim ä'], { action: 'mask' }),
  detector(['payment_card'], { action: 'mask' }),
  pattern('key-[0-9a-f]{6}', { action: 'mask' }),
];

/** Output of programs whose standard output is no terminal, by what is special about it. */
const PLAIN: Readonly<Record<string, (secret: string) => string | Buffer>> = {
  'in a line': (secret) => `one\nthe ${secret} is here\nthree\n`,
  alone: (secret) => secret,
  'at the end, without a newline': (secret) => `one\ntwo ${secret}`,
  'at the beginning': (secret) => `${secret}\nrest\n`,
  twice: (secret) => `${secret} ${secret}\n`,
  'beside others': () => `${SECRETS.join(' ')}\n`,
  'with returns': (secret) => `one\r\n${secret}\r\nthree\r\n`,
  'after characters of four bytes': (secret) => `😀😀 ä ${secret} 😀\n`,
  'between bytes that are no text': (secret) =>
    Buffer.concat([Buffer.from([0xff, 0xfe, 0x0a]), Buffer.from(` ${secret} `), Buffer.from([0xc3, 0x28])]),
  'after a null character': (secret) => `\0 ${secret}\0\n`,
  'after a long line': (secret) => `${'x'.repeat(400)} ${secret} ${'y'.repeat(100)}\n`,
};

/** Output of programs in a terminal. */
const IN_TERMINALS: Readonly<Record<string, (secret: string) => string>> = {
  'in colors': (secret) => `\u001b[1;31m${secret}\u001b[0m done\r\n`,
  'with a color in the middle': (secret) =>
    `a \u001b[32m${secret.slice(0, 4)}\u001b[38;2;1;2;3m${secret.slice(4)}\u001b[m b\r\n`,
  'with a color after each character': (secret) => [...secret].join('\u001b[0;1m'),
  'with other codes': (secret) => `\u001b(B${secret.slice(0, 3)}\u000f\u001b[K${secret.slice(3)}\u0007\r\n`,
  'in the title': (secret) => `\u001b]0;${secret}\u0007$ `,
  'in the clipboard': (secret) => `\u001b]52;c;${secret}\u001b\\$ `,
};

const named = (name: string, isTerminal: boolean, secret: string, bytes: string | Buffer): MaskedOutput => ({
  name: `${secret}, ${name}${isTerminal ? ', in a terminal' : ''}`,
  bytes: Buffer.from(bytes as string),
  isTerminal,
  secrets: name === 'beside others' ? SECRETS : [secret],
});

/** More than fifty outputs, each with a masked text in another place. */
export const MASKED_OUTPUTS: readonly MaskedOutput[] = SECRETS.flatMap((secret) => [
  ...Object.entries(PLAIN).map(([name, write]) => named(name, false, secret, write(secret))),
  ...Object.entries(IN_TERMINALS).map(([name, write]) => named(name, true, secret, write(secret))),
]);

/** Codes of terminals that change how a text looks, which hide no secret. */
// oxlint-disable-next-line no-control-regex
const CODES = /\u001b\[[0-9;]*[a-zA-Z]|\u001b\(B|[\u0007\u000f\r]/g;

/** Whether delivered output shows a text that must not be delivered. */
export function showsSecret({ secrets, isTerminal }: MaskedOutput, delivered: Buffer): boolean {
  const text = delivered.toString();
  const seen = isTerminal ? text.replaceAll(CODES, '') : text;
  return secrets.some((secret) => seen.includes(secret));
}
