import { once } from 'node:events';
import { freePort } from '../support/gateway';
import { scoped } from '../support/scoped';
import { describeWithDropbear, startDropbearServer } from '../support/ssh/dropbear-server';
import { answerAtEnd, exchange, listenAt, openStream } from '../support/ssh/forwarded';
import { issuedLogin } from '../support/ssh/programs';
import { beginSshClients } from '../support/ssh/ssh-clients';

describeWithDropbear(
  'forwards by a Dropbear server',
  scoped((begin) => {
    const path = beginSshClients(begin);
    const server = begin(startDropbearServer);

    const allowed = async () => {
      const fields = { FORWARD_TO: '127.0.0.1:*', FORWARD_FROM: 'localhost:*, 127.0.0.1:*' };
      expect((await path.ask('small', server.secret(fields))).status).toBe(201);
      return path.client(await issuedLogin(path.gateway, 'small'));
    };

    // promises: SSHFORWARD-1, SSHFORWARD-4
    it('carry bytes to a port, and from one', async () => {
      const echo = await listenAt(0, answerAtEnd);
      const client = await allowed();
      const channel = await openStream(client, '127.0.0.1', echo.port);
      if (typeof channel === 'string') throw new Error(channel);
      let got = '';
      channel.on('data', (bytes: Buffer) => (got += bytes.toString())).end('hello');
      await once(channel, 'close');
      expect(got).toBe('hello');
      expect(await openStream(client, '127.0.0.1', await freePort())).toMatch(
        /^2 The server could not connect/,
      );
      const port = await freePort();
      await new Promise<void>((resolve, reject) =>
        client.forwardIn('localhost', port, (error) => (error ? reject(error) : resolve())),
      );
      client.on('tcp connection', (_, accept) => accept().end('from the client'));
      expect((await exchange({ port }, '')).toString()).toBe('from the client');
      client.end();
      await echo.close();
    });
  }),
);
