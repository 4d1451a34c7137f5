import { SESSION_PROTOCOLS } from '../platform/metrics/tables/session-metrics';
import type { PortEndpoint } from './contract/client-endpoint';
import type { TargetKind } from './contract/kind';
import { mcpServer } from './mcp/mcp-server';
import { postgres } from './postgres/postgres';
import { ssh } from './ssh/ssh';

/** The registered kinds of targets, and their types and subtypes for the API. */
export const targetKinds: TargetKind[] = [];
export const targetTypes: string[] = [];
export const targetSubtypes: string[] = [];

/**
 * Registers a kind. Returns a function that removes it again, for tests.
 * @throws Error when a kind with its subtype is already registered
 */
export function registerTargetKind(kind: TargetKind): () => void {
  if (targetKind(kind.subtype) !== undefined) throw new Error(`there are two kinds ${kind.subtype}`);
  targetKinds.push(kind);
  targetSubtypes.push(kind.subtype);
  const forgetType = addedTo(targetTypes, kind.type);
  const forgetProtocol = kind.client === null ? undefined : addedTo(SESSION_PROTOCOLS, kind.client.protocol);
  return () => {
    targetKinds.splice(targetKinds.indexOf(kind), 1);
    targetSubtypes.splice(targetSubtypes.indexOf(kind.subtype), 1);
    forgetType?.();
    forgetProtocol?.();
  };
}

/** Adds a value that several kinds may share. Returns a function to remove it, if it is new. */
function addedTo(values: string[], value: string): (() => void) | undefined {
  if (values.includes(value)) return undefined;
  values.push(value);
  return () => void values.splice(values.indexOf(value), 1);
}

/** @returns undefined for an unknown subtype, which a later version of the gateway may have stored. */
export function targetKind(subtype: string): TargetKind | undefined {
  return targetKinds.find((kind) => kind.subtype === subtype);
}

/** Returns the endpoints that have their own port, one for each protocol. */
export function portEndpoints(): PortEndpoint[] {
  const all = targetKinds.flatMap(({ client }) => (client?.at === 'port' ? [client] : []));
  return all.filter(({ protocol }, place) => all.findIndex((one) => one.protocol === protocol) === place);
}

registerTargetKind(postgres);
registerTargetKind(mcpServer);
registerTargetKind(ssh);
