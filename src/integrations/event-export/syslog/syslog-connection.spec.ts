import { SyslogReceiver } from '../../../../test/support/siem/syslog-receiver';
import { describeWith, makeCertificate } from '../../../../test/support/tls';
import { framed, syslogMessage } from './syslog-message';
import { sendSyslog } from './syslog-connection';

const HERE = ['127.0.0.1'];
const never = new AbortController().signal;

function frames(count: number): Buffer[] {
  return Array.from({ length: count }, (_, n) =>
    framed(
      syslogMessage(
        {
          id: `id-${n}`,
          position: n,
          orgId: 'o',
          type: 'session.started',
          at: new Date(0),
          severity: 'info',
          summary: 's',
          facts: {},
          data: { n },
        },
        { host: 'gw.example.com', app: 'access-gateway' },
      ),
    ),
  );
}

describeWith('openssl')('sending to a syslog receiver', () => {
  const certificate = makeCertificate();
  let receiver: SyslogReceiver;
  let port: number;

  const send = (more: object = {}, allowed = HERE, signal = never, count = 2_000): Promise<void> => {
    const target = { receiver: { isTls: true, host: '127.0.0.1', port } };
    return sendSyslog(
      { ...target, ca: certificate.cert, cert: undefined, key: undefined, ...more },
      allowed,
      frames(count),
      signal,
    );
  };

  beforeEach(async () => {
    receiver = await SyslogReceiver.start(certificate);
    ({ port } = receiver);
  });

  afterEach(async () => {
    await receiver.close();
    expect(receiver.faults).toEqual([]);
  });

  it('resolves when the receiver has read everything', async () => {
    receiver.manner = 'slow';
    await send();
    expect(receiver.received.map(({ position }) => position)).toEqual(
      Array.from({ length: 2_000 }, (_, n) => n),
    );
  });

  // promises: SIEM-8
  it.each([
    ['whose certificate nobody has signed', { ca: undefined }, HERE, /certificate/],
    [
      'whose certificate another authority has signed',
      { ca: makeCertificate().cert },
      HERE,
      /certificate|signature/,
    ],
    ['at a private address that is not named', {}, [], /is private/],
  ])('sends nothing to a receiver %s', async (_, more, allowed, fault) => {
    await expect(send(more, allowed)).rejects.toThrow(fault);
    expect(receiver.received).toEqual([]);
  });

  it('checks the name in the certificate', async () => {
    const other = await SyslogReceiver.start(certificate, 0, '127.0.0.2');
    const receiverAt = (host: string, at: number): object => ({ receiver: { isTls: true, host, port: at } });
    await send(receiverAt('localhost', port), ['localhost'], never, 1);
    await expect(send(receiverAt('127.0.0.2', other.port), ['127.0.0.2'], never, 1)).rejects.toThrow(
      /altnames/,
    );
    expect([receiver.received.length, other.received.length]).toEqual([1, 0]);
    await other.close();
  });

  it.each(['resets', 'silent'] as const)('does not resolve when the receiver %s', async (manner) => {
    receiver.manner = manner;
    const limit = new AbortController();
    const sent = send({}, HERE, limit.signal, 10);
    if (manner === 'silent') {
      await receiver.has(10, ['session.started']);
      limit.abort(new Error('too late'));
    }
    await expect(sent).rejects.toThrow(manner === 'silent' ? 'too late' : /ECONNRESET|broke|closed/);
  });

  it('tells that nobody listens', async () => {
    await receiver.close();
    await expect(send()).rejects.toThrow('ECONNREFUSED');
  });
});
