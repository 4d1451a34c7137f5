import type { ClientSession } from '../gate/client-session';
import { type Eventual, whenThere } from '../kernel/eventual';

/** What of a short text may be delivered; or why nothing of it may. */
export type ScreenedText =
  | { readonly text: string }
  | { readonly blocked: string; readonly recorded: Promise<void> };

/** Screens a text that is there as a whole: a field of an error, a parameter's value. Recording what is let go is up to the caller. */
export function screenText(session: ClientSession, text: string): Eventual<ScreenedText> {
  const screen = session.openScreen();
  return whenThere(screen.push(text), (first) => {
    if (first.kind === 'block') return blockedBy(session, first);
    return whenThere(screen.finish(), (last) => {
      if (last.kind === 'block') return blockedBy(session, last);
      session.masked([...first.masks, ...last.masks]);
      return { text: first.text + last.text };
    });
  });
}

/** Each of them; the first that is blocked stands for all. */
export function screenTexts(
  session: ClientSession,
  texts: readonly string[],
  done: readonly string[] = [],
): Eventual<{ readonly texts: readonly string[] } | Extract<ScreenedText, { blocked: string }>> {
  const next = texts[done.length];
  if (next === undefined) return { texts: done };
  return whenThere(screenText(session, next), (screened) =>
    'blocked' in screened ? screened : screenTexts(session, texts, [...done, screened.text]),
  );
}

function blockedBy(
  session: ClientSession,
  screened: Parameters<ClientSession['release']>[1] & { kind: 'block' },
): ScreenedText {
  const { recorded } = session.release('e', screened);
  return { blocked: screened.hit.message, recorded: recorded ?? Promise.resolve() };
}
