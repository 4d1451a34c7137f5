import { Socket } from 'node:net';
import { Client } from 'pg';
import { reliedOn } from '../../../../test/support/relied-on';
import { readInPieces } from './driver-stream';

const relied = reliedOn('pg', 'src/platform/database/pools/driver-stream.ts');

it('the private part of node-postgres is as it was: the stream that a client reads', () => {
  const socket = new Socket();
  const client = new Client({ stream: () => socket });
  readInPieces(client);
  relied('connection.stream, which has one reader now', socket.listenerCount('data'), 1);
  socket.destroy();
});
