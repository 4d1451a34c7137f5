import type { Logger } from '@nestjs/common';
import type { Gate } from '../../../gate/gate';
import { RecordingFailed } from '../../../gate/ports/session-end';
import type { Session } from '../../../gate/session';
import { AppError } from '../../../kernel/app-error';
import { passingFault } from '../../../platform/database/faults/passing-fault';
import type { Target } from '../../../gate/ports/target-directory';
import type { Principal } from '../../../kernel/principal';
import type { OpenSsh } from '../../../targets/ssh/open-ssh';
import { SshFault } from '../../../targets/ssh/ssh-faults';
import {
  type ChannelEnding,
  FAULTY,
  ServerRefused,
  channelEndedBy,
  faultedBy,
  notReached,
  sentenceOf,
} from './ending';

/** Message for a secret that none of the gateway's keys opens. */
export const SEALED = 'The secret of this connection could not be opened. Please tell an administrator.';

/** A signed-in person, for the channels of the person's client. */
export interface ChannelClient {
  readonly address: string;
  /** Name and version of the client's program. */
  readonly software: string;
  /** @throws AppError, SshRefusal when the credential has ended */
  identifyAgain(): Promise<{
    readonly principal: Principal;
    readonly credential: { readonly id: string } | null;
    /** Why the person opens the connection; null if that is not known. */
    readonly reason: string | null;
    /** When the credential or the key ends; null: never, or not known. */
    readonly until: Date | null;
    /** Fingerprint of the registered key, for a client that signed in with one. */
    readonly publicKey?: string;
  }>;
}

/** A connection with its opened secret, as both were stored when it was read. */
export interface OpenedTarget {
  readonly target: Target;
  readonly secret: Readonly<Record<string, string>>;
}

/** The way to the server of a client. */
export interface ChannelUpstream {
  /** Signs in at the server for a session. Stops if one of the signals aborts first. @throws ServerRefused */
  reach(session: Session, opened: OpenedTarget, stops: readonly AbortSignal[]): Promise<OpenSsh>;
}

/** Objects that all channels of one client share. */
export interface ChannelContext {
  readonly client: ChannelClient;
  /** Id of the connection. */
  readonly target: string;
  readonly gate: Gate;
  readonly upstream: ChannelUpstream;
  /** Returns the address of the page of a review. */
  readonly reviewPage: (reviewId: string) => string;
  /** Called when something was sent in either direction. */
  readonly active: () => void;
}

/** Facts of one channel for its session. */
export interface ChannelFacts {
  /** The kind of the channel, as a label: `exec`, `shell`, `sftp`, `forward` … */
  readonly channel: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** Identifies the client again, decides access and opens the recording. @throws AppError */
export async function enterSession(
  { client, target, gate }: ChannelContext,
  { channel, metadata }: ChannelFacts,
): Promise<Session> {
  const { principal, credential, reason, until, publicKey } = await client.identifyAgain();
  return gate.connect(principal, {
    connection: target,
    labels: {
      client_address: client.address,
      ...(client.software === '' ? {} : { application_name: client.software }),
      channel,
      ...(publicKey === undefined ? {} : { public_key: publicKey }),
    },
    metadata,
    batchId: null,
    correlationId: null,
    reason,
    credentialId: credential?.id ?? null,
    until,
  });
}

/**
 * Identifies the client again, and reads its connection again: after a wait, what is stored then decides.
 * @throws AppError, SshRefusal when the client may no longer open the connection
 */
export async function storedNow({ client, target, gate }: ChannelContext): Promise<Target> {
  const { principal } = await client.identifyAgain();
  return gate.target(principal, target);
}

/** Opens the secret of the connection. Returns undefined after a fault, which is logged. */
export function withSecret(session: Session, target: Target, log: Logger): OpenedTarget | undefined {
  try {
    return { target, secret: target.openSecret() };
  } catch (error) {
    log.error({ err: error, session: session.id }, 'The secret of a connection could not be opened');
    return undefined;
  }
}

/**
 * Returns the ending of a channel that an error ended before anything ran in it.
 * @param stops signals that may have aborted with an ending as the reason
 */
export function endingOf(
  error: unknown,
  session: Session | undefined,
  stops: readonly AbortSignal[],
  log: Logger,
): ChannelEnding {
  if (session?.ended.aborted === true) return endingOfKill(session.ended.reason as Error);
  const stop = stops.find(({ aborted }) => aborted);
  if (stop !== undefined) return stop.reason as ChannelEnding;
  if (error instanceof ServerRefused || error instanceof SshFault) return notReached(error.message);
  const refusal = error instanceof AppError ? error : passingFault(error);
  if (refusal?.code === 'unauthenticated') return channelEndedBy(sentenceOf(refusal.message));
  if (refusal !== undefined) return faultedBy(sentenceOf(refusal.message));
  log.error({ err: error, session: session?.id }, 'An SSH session could not begin');
  return FAULTY;
}

export function endingOfKill(reason: Error): ChannelEnding {
  return reason instanceof RecordingFailed ? FAULTY : channelEndedBy(reason.message);
}
