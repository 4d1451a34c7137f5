import { createServer } from 'node:net';
import type { Client } from 'pg';
import { type Diagnosis, Reporter } from './diagnosis';
import type { Examined } from './examined';
import { type ListeningPort, isServedByGateway, portsOf, publishedKeyIds } from './served-port';

const report = new Reporter('ports');

/** Checks that the ports can be opened, or that a running gateway with these settings uses them. */
export async function checkPorts({ settings }: Examined): Promise<Diagnosis[]> {
  const ports = portsOf(settings);
  const twice = ports.find((one) =>
    ports.some((other) => other !== one && other.port === one.port && other.host === one.host),
  );
  if (twice !== undefined)
    return [
      report.fault(`Port ${twice.port} is given to two listeners.`, 'Give each of them a port of its own.'),
    ];
  const refusals = await Promise.all(
    ports.map(async (port) => ({ port, code: await refusalOf(port.host, port.port) })),
  );
  const refused = refusals.filter(({ code }) => code !== undefined);
  const names = ports.map(({ variable, port }) => `${variable} ${port}`).join(', ');
  if (refused.length === 0) return [report.ok(`These are free: ${names}.`)];
  const isOurs = await Promise.all(
    refused.map(async ({ port, code }) => code === 'EADDRINUSE' && isServedByGateway(port)),
  );
  const faults = refused.filter((_, place) => isOurs[place] !== true);
  if (faults.length > 0) return faults.map(({ port, code }) => sentenceOf(port, code ?? ''));
  return [report.ok(`A gateway serves here already: ${names}.`)];
}

/**
 * Checks that the gateway at PORT uses this database: one of the evidence keys that it publishes must be
 * stored in this database. Without this check, a gateway with another database would look correct.
 */
export async function checkServedDatabase(client: Client, { settings }: Examined): Promise<Diagnosis[]> {
  const served = await publishedKeyIds(settings);
  if (served === undefined) return [];
  const { rows } = await client.query<{ key_id: string }>('SELECT key_id FROM evidence_keys');
  const ours = new Set(rows.map(({ key_id: id }) => id));
  if (served.some((id) => ours.has(id))) return [];
  return [
    report.fault(
      `PORT, port ${settings.http.port} on ${settings.http.host}, is served by a gateway of another database.`,
      'Stop it, set PORT to a free port, or correct DATABASE_URL.',
    ),
  ];
}

/** Returns the error code if the port cannot be opened; undefined if it can. */
function refusalOf(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen(port, host, () => server.close(() => resolve(undefined)));
  });
}

function sentenceOf({ variable, host, port }: ListeningPort, code: string): Diagnosis {
  const where = `${variable}, port ${port} on ${host}`;
  switch (code) {
    case 'EADDRINUSE':
      return report.fault(
        `${where}, is used by something else.`,
        `Stop it, or set ${variable} to a free port.`,
      );
    case 'EACCES':
      return report.fault(
        `${where}, may not be opened by this user.`,
        'Choose a port above 1023, or grant CAP_NET_BIND_SERVICE.',
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return report.fault(
        `${where}: this machine does not have the address.`,
        'Set HOST (or METRICS_HOST) to an address of this machine; 0.0.0.0 stands for all.',
      );
    default:
      return report.fault(`${where}, cannot be opened (${code}).`, 'Correct the port and its address.');
  }
}
