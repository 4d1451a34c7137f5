import { type Command, InvalidArgumentError } from 'commander';
import type { Context } from './context.js';

/** Callback that receives the exit code of the program. */
export type End = (exitCode: number) => void;

export type ContextOf = (command: Command) => Promise<Context>;

export function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 1.');
  return Number(text);
}
