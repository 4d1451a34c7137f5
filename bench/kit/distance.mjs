// A server of TCP that stands for one which is far away: what it gets goes on to another port after some
// milliseconds, in each direction. Arguments: own port, other port, milliseconds.
import { connect, createServer } from 'node:net';

const [own, other, milliseconds] = process.argv.slice(2).map(Number);

const server = createServer({ noDelay: true, pauseOnConnect: true }, (client) => {
  // The handshake of TCP takes a way there and back.
  setTimeout(() => {
    const target = connect({ port: other, host: '127.0.0.1', noDelay: true });
    passOn(client, target);
    passOn(target, client);
    client.resume();
  }, 2 * milliseconds);
});

/** Timers of one length fire in the order in which they were made. */
function passOn(from, to) {
  from.on('data', (chunk) => setTimeout(() => to.write(chunk), milliseconds));
  from.on('error', () => to.destroy());
  from.once('close', () => setTimeout(() => to.destroySoon(), milliseconds));
}

server.listen(own, '127.0.0.1', () => process.send('listens'));
