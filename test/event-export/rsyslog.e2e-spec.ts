import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExportedEvent } from '../../src/integrations/event-export/contract/exported-event';
import { SyslogDestination } from '../../src/integrations/event-export/syslog/syslog-destination';
import { eventually } from '../support/eventually';
import { freePort } from '../support/free-port';
import { describeWith, makeCertificate } from '../support/tls';

const EVENTS = 1_000;

/**
 * Configuration of Debian's rsyslog with its OpenSSL driver. It requires a certificate of the sender, too.
 * Each line that it writes shows the fields that rsyslog parsed.
 */
function configuration(folder: string, port: number): string {
  return `
    global(workDirectory="${folder}" maxMessageSize="8k" defaultNetstreamDriver="ossl"
      defaultNetstreamDriverCAFile="${folder}/cert.pem" defaultNetstreamDriverCertFile="${folder}/cert.pem"
      defaultNetstreamDriverKeyFile="${folder}/key.pem")
    module(load="imtcp" streamDriver.name="ossl" streamDriver.mode="1" streamDriver.authMode="x509/certvalid")
    template(name="understood" type="string"
      string="%syslogfacility%\\t%syslogseverity%\\t%hostname%\\t%app-name%\\t%msgid%\\t%structured-data%\\t%msg%\\n")
    input(type="imtcp" address="127.0.0.1" port="${port}")
    action(type="omfile" file="${folder}/received" template="understood")`;
}

function eventOf(n: number): ExportedEvent {
  return {
    id: `id-${n}`,
    position: n,
    orgId: 'o',
    type: 'session.started',
    at: new Date(1_700_000_000_000 + n),
    severity: 'info',
    summary: 'a session was started',
    facts: { user: `Zoë "quoted" ] \\ ${n}` },
    data: { n, text: n % 10 === 0 ? 'ä'.repeat(1_000) : 'line\nbreak' },
  };
}

describeWith('rsyslogd', 'openssl')('rsyslog', () => {
  const certificate = makeCertificate('rsa-sha256');
  let folder: string;
  let port: number;
  let rsyslog: ChildProcess;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rsyslog-'));
    port = await freePort();
    await writeFile(join(folder, 'cert.pem'), certificate.cert);
    await writeFile(join(folder, 'key.pem'), certificate.key);
    await writeFile(join(folder, 'rsyslog.conf'), configuration(folder, port));
    rsyslog = spawn('rsyslogd', ['-n', '-f', join(folder, 'rsyslog.conf'), '-i', join(folder, 'pid')], {
      stdio: 'ignore',
    });
    await eventually('rsyslog listens', () => isListening(port));
  });

  afterAll(async () => {
    const gone = new Promise((resolve) => rsyslog.once('exit', resolve));
    rsyslog.kill('SIGTERM');
    await gone;
    await rm(folder, { recursive: true });
  });

  // promises: SIEM-1, SIEM-2
  it('understands all fields of each message, in order, and confirms each batch by closing its connection', async () => {
    const settings = {
      receiver: { isTls: true, host: '127.0.0.1', port },
      ca: certificate.cert,
      ...certificate,
    };
    const destination = new SyslogDestination(settings, ['127.0.0.1'], {
      host: 'gw.example.com',
      app: 'access-gateway',
    });
    const events = Array.from({ length: EVENTS }, (_, n) => eventOf(n));
    const never = new AbortController().signal;
    for (let at = 0; at < EVENTS; at += 250) await destination.send(events.slice(at, at + 250), never);
    await eventually('all are written', async () => (await lines()).length === EVENTS);
    for (const [n, line] of (await lines()).entries()) {
      const [facility, severity, host, app, type, structured, text = ''] = line.split('\t');
      expect([facility, severity, host, app, type]).toEqual([
        '13',
        '6',
        'gw.example.com',
        'access-gateway',
        'session.started',
      ]);
      expect(structured).toBe(
        `[gateway@32473 id="id-${n}" position="${n}" org="o" user="Zoë \\"quoted\\" \\] \\\\ ${n}"]`,
      );
      expect(JSON.parse(text)).toEqual(eventOf(n).data);
    }
  });

  it('is sent nothing without a certificate that it accepts', async () => {
    const settings = {
      receiver: { isTls: true, host: '127.0.0.1', port },
      ca: certificate.cert,
      cert: undefined,
      key: undefined,
    };
    const destination = new SyslogDestination(settings, ['127.0.0.1'], {
      host: 'gw.example.com',
      app: 'access-gateway',
    });
    const events = Array.from({ length: 10 }, (_, n) => eventOf(EVENTS + n));
    await expect(destination.send(events, new AbortController().signal)).rejects.toThrow(
      /alert|ECONNRESET|EPIPE|broke|closed/,
    );
    expect((await lines()).length).toBeLessThanOrEqual(EVENTS);
  });

  const lines = async (): Promise<string[]> =>
    (await readFile(join(folder, 'received'), 'utf8').catch(() => ''))
      .split('\n')
      .filter((line) => line !== '');
});

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
