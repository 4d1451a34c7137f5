import { isAscii } from 'node:buffer';
import { close, sync } from './messages';
import { type Step, step } from './pipeline';

/**
 * Returns the steps with a Sync wherever the gateway needs one. After a statement that may change
 * client_encoding, the gateway accepts only ASCII until the next Sync. A server accepts all text that its
 * encoding allows.
 *
 * Inserts more Syncs than the gateway needs. After one risky Parse, each later Execute counts as risky. An
 * Execute of a portal that was not bound since the last Sync counts as risky too.
 */
export function withoutDoubt(steps: readonly Step[]): Step[] {
  let hasRisky = false;
  let isInDoubt = false;
  let bound = new Set<string>();
  return steps.flatMap((each) => {
    const type = String.fromCharCode(each.bytes[0] ?? 0);
    const needsSync = isInDoubt && 'PBDCE'.includes(type) && !isAscii(each.bytes);
    if (each.readies > 0 || needsSync) {
      isInDoubt = false;
      bound = new Set();
    }
    if (type === 'P') hasRisky ||= RISKY.test(each.bytes.toString());
    if (type === 'B') bound.add(nameIn(each.bytes));
    if (type === 'E') isInDoubt ||= hasRisky || !bound.has(nameIn(each.bytes));
    return needsSync ? [step('Sync, or the gateway asks for it', sync(), { readies: 1 }), each] : [each];
  });
}

/** Closes prepared statements, because the gateway still knows those that SQL removed from the server. */
export function closing(names: readonly string[]): Step {
  const messages = names.map((name) => close('S', name));
  return step('Close all, Sync', [...messages, sync()], { readies: 1, awaits: 'ready' });
}

const RISKY = /encoding|names|set_config|\b(do|call|execute|rollback)\b|discard|reset|u&/i;

const HEAD = 5;

function nameIn(message: Buffer): string {
  return message.toString('utf8', HEAD, message.indexOf(0, HEAD));
}
