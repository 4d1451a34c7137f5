import type { ClientSession } from '../gate/client-session';
import type { Screened } from '../gate/ports/guardrails';
import { type Eventual, whenThere } from '../kernel/eventual';
import { renderRow } from '../kernel/tabular-text';
import type { PendingRecords } from './pending-records';

/** What of short texts may be delivered; or why nothing of them may, which is recorded before anything goes on. */
export type ScreenedTexts = { readonly texts: readonly string[] } | { readonly blocked: string };

/**
 * Screens texts that are there as a whole, each by itself: the fields of an error, the value of a parameter. The first that
 * is blocked stands for all. Recording what is let go is up to the caller.
 */
export function screenTexts(
  session: ClientSession,
  recorded: PendingRecords,
  texts: readonly string[],
): Eventual<ScreenedTexts> {
  if (!session.mayTouch(Buffer.from(renderRow(texts)))) return { texts };
  return screenRest(session, recorded, texts, []);
}

function screenRest(
  session: ClientSession,
  recorded: PendingRecords,
  texts: readonly string[],
  done: readonly string[],
): Eventual<ScreenedTexts> {
  const next = texts[done.length];
  if (next === undefined) return { texts: done };
  return whenThere(screenText(session, recorded, next), (screened) =>
    typeof screened === 'string' ? screenRest(session, recorded, texts, [...done, screened]) : screened,
  );
}

function screenText(
  session: ClientSession,
  recorded: PendingRecords,
  text: string,
): Eventual<string | { readonly blocked: string }> {
  const blockedBy = (screened: Screened & { kind: 'block' }): { readonly blocked: string } => {
    recorded.flush();
    recorded.keep(session.release('e', screened).recorded);
    return { blocked: screened.hit.message };
  };
  const screen = session.openScreen();
  return whenThere(screen.push(text), (first) => {
    if (first.kind === 'block') return blockedBy(first);
    return whenThere(screen.finish(), (last) => {
      if (last.kind === 'block') return blockedBy(last);
      session.masked([...first.masks, ...last.masks]);
      return first.text + last.text;
    });
  });
}
