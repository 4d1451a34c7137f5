import type { Settings } from '../../platform/config/settings';

/**
 * Address at this gateway for clients of a target's own protocol: a port of the target kind, or a path below
 * the path of the REST API.
 */
export type ClientEndpoint = PortEndpoint | PathEndpoint;

/** Clients connect to a port of the target kind, and sign in with a credential that the gateway issued. */
export interface PortEndpoint {
  readonly at: 'port';
  /** Name of the protocol, such as `postgresql`. Metrics use it as a label. A proxy serves one protocol. */
  readonly protocol: string;
  /** Name of the clients in messages for people, for example `PostgreSQL`. */
  readonly clients: string;
  port(settings: Settings): ClientPort;
  /** Returns a connection string with the placeholders `{username}`, `{password}` and `{database}`. */
  urlTemplate(port: ClientPort): string;
  /**
   * Tests for the doctor (self-check) whether the program at this port speaks the protocol. Never rejects.
   */
  isSpokenAt(host: string, port: number): Promise<boolean>;
}

/** Clients send HTTP requests below `API_URL`, with an access token of the gateway. */
export interface PathEndpoint {
  readonly at: 'path';
  readonly protocol: string;
  /** URL of the endpoint of a connection, with `{connection}` for its name. */
  urlTemplate(settings: Settings): string;
}

/** A port that the gateway opens for clients. */
export interface ClientPort {
  /** Names of the settings for the port, such as `POSTGRES_PROXY_PORT`, and for the host. */
  readonly variable: string;
  readonly hostVariable: string;
  /** Host name or IP address that clients are given. */
  readonly host: string;
  /** Port number; 0 if the gateway does not listen for these clients. */
  readonly port: number;
  readonly isTls: boolean;
}

/** User name, password and database with which a client signs in. */
export interface ClientLogin {
  /** Id of the credential, used as the user name. */
  readonly username: string;
  readonly password: string;
  /** Name of the target's database. If targets of the kind have no database: name of the connection. */
  readonly database: string;
}

/** The connection string of one credential. */
export function connectionString(endpoint: PortEndpoint, port: ClientPort, login: ClientLogin): string {
  return endpoint
    .urlTemplate(port)
    .replaceAll(/\{(username|password|database)\}/g, (_, name: keyof ClientLogin) => quotable(login[name]));
}

/**
 * Percent-encodes a text, including characters that a shell interprets, because people paste the address
 * between quotes. Keeps `@`: it needs no encoding in a path, and some drivers do not decode it
 * (node-postgres, SQLAlchemy).
 */
function quotable(text: string): string {
  return encodeURIComponent(text)
    .replaceAll(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%40', '@');
}
