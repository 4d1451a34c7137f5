import { EventEmitter } from 'node:events';
import { Client } from 'pg';
import { backendKeyOf, wireUnder } from './pg-parts';
import { reliedOn } from './relied-on';

it('the private parts of node-postgres that tests use are as they were', () => {
  const relied = reliedOn('pg', 'test/support/pg-parts.ts');
  const client = new Client();
  const wire = wireUnder(client);
  relied('Client.connection', wire instanceof EventEmitter, true);
  relied('Connection.stream', typeof wire.stream.write, 'function');
  relied('Connection.startup()', typeof wire.startup, 'function');
  relied('Client.cancel()', typeof (client as unknown as { cancel: unknown }).cancel, 'function');
  const told = { processID: 7, secretKey: 9 };
  (client as unknown as { _handleBackendKeyData(message: object): void })._handleBackendKeyData(told);
  relied('Client.processID, Client.secretKey', backendKeyOf(client), { processId: 7, secret: 9 });
});
