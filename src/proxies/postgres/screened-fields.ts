import type { ClientSession } from '../../gate/client-session';
import type { OutputScreen, Screened } from '../../gate/ports/guardrails';
import type { TrailEvent } from '../../gate/ports/session-recorder';
import { type Eventual, whenThere } from '../../kernel/eventual';
import { piecesOf } from '../../kernel/pieces';
import { renderRow } from '../../kernel/tabular-text';
import { inSlices } from '../../kernel/time-slice';
import type { PendingRecords } from './pending-records';
import { type ScreenedPieces, screenPieces } from './screened-pieces';

/** Longer texts are screened and recorded piece by piece, with others taking their turns. UTF-16 code units, or bytes. */
export const LARGE_TEXT = 256 * 1024;
const PIECE = 32 * 1024;

/** What of texts may be delivered; or why nothing of them may, which is recorded before anything goes on. */
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
  const isLarge = texts.some((text) => text.length > LARGE_TEXT);
  if (!isLarge && !session.mayTouch(Buffer.from(renderRow(texts)))) return { texts };
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
  if (text.length > LARGE_TEXT) return screenLarge(session, screen, text, blockedBy);
  return whenThere(screen.push(text), (first) => {
    if (first.kind === 'block') return blockedBy(first);
    return whenThere(screen.finish(), (last) => {
      if (last.kind === 'block') return blockedBy(last);
      session.masked([...first.masks, ...last.masks]);
      return first.text + last.text;
    });
  });
}

async function screenLarge(
  session: ClientSession,
  screen: OutputScreen,
  text: string,
  blockedBy: (screened: Screened & { kind: 'block' }) => { readonly blocked: string },
): Promise<string | { readonly blocked: string }> {
  const screened = await screenPieces(screen, piecesOf(text, PIECE), true);
  if (screened.kind === 'block') return blockedBy(screened);
  await inSlices(countMasks(session, screened));
  return screened.text;
}

function* countMasks(session: ClientSession, screened: ScreenedPieces): Generator<undefined, void> {
  for (const { masks } of screened.pieces()) {
    session.masked(masks);
    yield;
  }
}

/** Has what was said recorded with the next that is; what is large at once, piece by piece. */
export function recordSaid(
  session: ClientSession,
  recorded: PendingRecords,
  events: readonly TrailEvent[],
): Eventual<void> {
  if (events.every(({ content }) => content.length <= LARGE_TEXT)) {
    for (const event of events) recorded.add(event);
    return undefined;
  }
  recorded.flush();
  return inSlices(recordPieces(session, recorded, events));
}

function* recordPieces(
  session: ClientSession,
  recorded: PendingRecords,
  events: readonly TrailEvent[],
): Generator<undefined, void> {
  for (const { type, content } of events)
    for (const piece of piecesOf(content.toString(), PIECE)) {
      recorded.keep(session.record([{ type, content: piece }]));
      yield;
    }
}
