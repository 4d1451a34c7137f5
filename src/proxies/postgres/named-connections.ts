import { Injectable } from '@nestjs/common';
import { type NamedDatabase, type Target, TargetDirectory } from '../../gate/ports/target-directory';
import { AppError } from '../../kernel/app-error';
import { normalizedName } from '../../kernel/text/names';
import type { Principal } from '../../kernel/principal';
import { isQualifiedDatabase, qualifiedDatabase } from '../../gate/ports/qualified-database';
import { signInRefusal } from './handshake/refusal';
import type { SignedInClient } from './signed-in-client';

/** Maximum number of connections that a refusal lists. */
const MOST_LISTED = 10;

/** The fields in which a client with a token names its connection. */
type Named = Pick<SignedInClient, 'user' | 'database'>;

/** The connections that the client may mean, and the connection whose name is the client's user name. */
interface Candidates {
  readonly found: readonly NamedDatabase[] | readonly [Pick<Target, 'id'>];
  readonly ofUser: Target | undefined;
}

/**
 * Finds the connection that a client with a token names in its start-up message, in this order:
 *
 * 1. the user name is the name of a connection, and the database is the database of this connection;
 * 2. the database is the name or the id of a connection, whatever the user name is;
 * 3. the database is `database@connection`;
 * 4. one connection alone has this database, and the user name names no other connection with a database.
 *
 * Connections that are not open to the principal are ignored: they are not found, and they do not make a name
 * ambiguous.
 */
@Injectable()
export class NamedConnections {
  constructor(private readonly targets: TargetDirectory) {}

  /** @returns the id of the connection. @throws AppError `not_found`, SignInRefusal. */
  async find(principal: Principal, named: Named): Promise<string> {
    const { found, ofUser } = await this.candidates(principal, named);
    const [one, ...others] = found;
    if (one === undefined) throw await this.unknown(principal, ofUser, named.database);
    if (others.length === 0) return one.id;
    throw await this.ambiguous(principal, named, found as readonly NamedDatabase[]);
  }

  private async candidates(principal: Principal, { user, database }: Named): Promise<Candidates> {
    const [ofUser, ofDatabase] = await Promise.all([
      this.targets.find(principal, normalizedName(user)),
      this.targets.find(principal, normalizedName(database)),
    ]);
    // The user name alone selects nothing, because a client with a token may send any user name, which may
    // equal a connection's name by chance.
    if (ofUser?.databaseName() === database) return { found: [ofUser], ofUser };
    if (ofDatabase !== undefined) return { found: [ofDatabase], ofUser };
    const named = await this.targets.byDatabase(principal, database);
    // psql's `\c` changes the database but keeps the user name. It must not open another connection.
    const isBound = ofUser?.databaseName() !== undefined;
    const possible = isBound ? named.filter((each) => isQualifiedDatabase(database, each)) : named;
    return { found: admitting(possible), ofUser };
  }

  private async ambiguous(
    principal: Principal,
    { user, database }: Named,
    choices: readonly NamedDatabase[],
  ): Promise<Error> {
    /** Returns `database@connection`; the connection's id if this text also names another connection. */
    const spelled = async (choice: NamedDatabase): Promise<string> => {
      const text = qualifiedDatabase(choice);
      const { found } = await this.candidates(principal, { user, database: text });
      return found.length === 1 && found[0]?.id === choice.id ? text : choice.id;
    };
    const listed = await Promise.all(choices.slice(0, MOST_LISTED).map(spelled));
    const more = choices.length > listed.length ? ` (and ${choices.length - listed.length} more)` : '';
    return signInRefusal(
      'wrong_connection',
      '3D000',
      `${choices.length} connections have the database ${quoted(database)}; connect to one of ${listed.map(quoted).join(', ')}${more}.`,
      "Or give the connection's name as the user name.",
    );
  }

  private async unknown(principal: Principal, ofUser: Target | undefined, database: string): Promise<Error> {
    const behind = normalizedName(database.slice(database.lastIndexOf('@') + 1));
    const qualified = database.includes('@') ? await this.targets.find(principal, behind) : undefined;
    const target = qualified ?? ofUser;
    if (target?.databaseName() === undefined)
      return new AppError('not_found', `there is no connection named ${database}`);
    const wrong = qualified === undefined ? database : database.slice(0, database.lastIndexOf('@'));
    return signInRefusal(
      'wrong_connection',
      '3D000',
      `The connection ${target.name} opens its own database only, which is not named ${quoted(wrong)}.`,
      `Connect to ${quoted(target.name)}: the name of the connection opens it too.`,
    );
  }
}

/**
 * Returns the connections that admit clients. Returns all connections if none admits clients, so that the
 * gate refuses the client with the reason and records it.
 */
function admitting(named: readonly NamedDatabase[]): readonly NamedDatabase[] {
  const some = named.filter(({ admitsClients }) => admitsClients);
  return some.length > 0 ? some : named;
}

function quoted(name: string): string {
  return JSON.stringify(name);
}
