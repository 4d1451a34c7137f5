// The baseline: the cost of a proxy in Node.js that inspects nothing. It copies the bytes between two
// sockets. Started by fork() with the target's port and host.
import { connect, createServer } from 'node:net';

const [port, host] = process.argv.slice(2);
const server = createServer((client) => {
  const target = connect(Number(port), host);
  for (const [from, to] of [
    [client, target],
    [target, client],
  ]) {
    from.setNoDelay(true);
    from.on('data', (bytes) => {
      if (to.write(bytes)) return;
      from.pause();
      to.once('drain', () => from.resume());
    });
    from.on('error', () => undefined).on('close', () => to.destroy());
  }
});
server.listen(0, '127.0.0.1', () => process.send(server.address().port));
