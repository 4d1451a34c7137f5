import { type components, answered } from '@access-gateway/client';
import type { Context } from '../context.js';
import { CommandFault, EXIT } from '../exit-codes.js';
import { type ApprovalOptions, approvalOf } from './approval.js';

type Issued = components['schemas']['IssuedCredentialView'];
type Login = NonNullable<components['schemas']['ConnectionCredentialsView']>;
/** Kinds of connections, by the name that `gateway kinds` shows. */
type Kind = components['schemas']['ConnectionView']['subtype'];

export interface AccessOptions extends ApprovalOptions {
  readonly reason?: string;
  /** Lifetime of the credential, in seconds. */
  readonly duration?: number;
}

/** A credential that the gateway issued. */
export interface Access {
  readonly issued: Issued;
  /** The part of the credential with which a client signs in. */
  readonly login: Login;
}

/**
 * Gets a credential for a connection, and waits for its approval if one is needed.
 * @throws CommandFault `refused`, `interrupted`; GatewayFault
 */
export async function obtainAccess(
  context: Context,
  connection: string,
  { reason, duration, emergency }: AccessOptions,
): Promise<Access> {
  const { gateway, signal } = context;
  const body = {
    ...(reason === undefined ? {} : { reason }),
    ...(duration === undefined ? {} : { access_duration_seconds: duration }),
  };
  const request = (): Promise<Issued> =>
    answered(
      gateway.api.POST('/connections/{nameOrID}/credentials', {
        params: { path: { nameOrID: connection } },
        body,
        signal,
      }),
    );
  let issued = await request();
  if (!issued.connection_credentials && issued.review_id !== null) {
    await approvalOf(context, issued.review_id, emergency === undefined ? {} : { emergency });
    issued = await request();
  }
  const { connection_credentials: login } = issued;
  if (!login) throw new CommandFault('the access is not approved', EXIT.refused);
  return { issued, login };
}

/**
 * Gets a credential for one use, and revokes it after that. A credential that needed an approval is not
 * revoked, because approved access stays usable until it expires.
 * @param kind the only kind of connection that the client program can use
 * @throws CommandFault `usage` if the connection is of another kind, before anybody is asked for an approval
 */
export async function withAccess<T>(
  context: Context,
  connection: string,
  kind: Kind,
  options: AccessOptions,
  use: (login: Login) => Promise<T>,
): Promise<T> {
  const { gateway, signal } = context;
  const params = { path: { nameOrID: connection } };
  const { subtype } = await answered(gateway.api.GET('/connections/{nameOrID}', { params, signal }));
  if (subtype !== kind)
    throw new CommandFault(`${connection} is a connection of the kind ${subtype}, not ${kind}`, EXIT.usage);
  const { issued, login } = await obtainAccess(context, connection, options);
  try {
    return await use(login);
  } finally {
    if (!issued.has_review)
      await gateway.api.POST('/connections/{nameOrID}/credentials/{id}/revoke', {
        params: { path: { nameOrID: connection, id: issued.id } },
      });
  }
}
