import { settlesWithin } from '../../src/kernel/async/timeout';

const WITHIN_MS = 20_000;

/** The close functions of gateways that this test file started and has not closed. */
const open = new Set<() => Promise<unknown>>();

/** @returns a function to call when the gateway is closed. */
export function gatewayOpened(close: () => Promise<unknown>): () => void {
  open.add(close);
  return () => void open.delete(close);
}

/** Closes gateways that failed tests left open; otherwise their warnings would appear in later test files. */
export async function closeGateways(): Promise<void> {
  const closed = [...open].map((close) => close().catch(() => undefined));
  open.clear();
  await settlesWithin(Promise.all(closed), WITHIN_MS);
}
