// The baseline: the cost of a proxy with ssh2 on both sides that inspects nothing. Started by fork() with the
// file of its host key, and the server's port, user and file with the key that signs in.
import { readFileSync } from 'node:fs';
import ssh2 from 'ssh2';

const [hostKeyFile, port, username, keyFile] = process.argv.slice(2);
const privateKey = readFileSync(keyFile);

const server = new ssh2.Server({ hostKeys: [readFileSync(hostKeyFile)] }, (connection) => {
  const target = new ssh2.Client();
  const ready = new Promise((resolve) => target.once('ready', resolve));
  target.connect({ host: '127.0.0.1', port: Number(port), username, privateKey });
  target.on('error', () => connection.end()).on('close', () => connection.end());
  connection.on('error', () => undefined).on('close', () => target.end());
  connection.on('authentication', (attempt) => attempt.accept());
  connection.on('session', (accept) => serve(accept(), target, ready));
});

function serve(session, target, ready) {
  let terminal = false;
  session.on('pty', (accept, _reject, info) => {
    terminal = info;
    accept?.();
  });
  const begun = async (accept, start) => {
    // Accepted at once, because data that the client sends before would be lost.
    const channel = accept();
    await ready;
    start((error, program) => (error ? channel.close() : join(channel, program)));
  };
  session.on('exec', (accept, _reject, { command }) =>
    begun(accept, (opened) => target.exec(command, { pty: terminal }, opened)),
  );
  session.on('shell', (accept) => begun(accept, (opened) => target.shell(terminal, opened)));
  session.on('subsystem', (accept, _reject, { name }) =>
    begun(accept, (opened) => target.subsys(name, opened)),
  );
}

function join(channel, program) {
  channel.pipe(program);
  program.pipe(channel, { end: false });
  program.stderr.pipe(channel.stderr, { end: false });
  for (const stream of [channel, program]) stream.on('error', () => undefined);
  program.on('close', (code) => {
    channel.exit(code ?? 255);
    channel.end();
  });
  channel.on('close', () => program.close());
}

server.listen(0, '127.0.0.1', () => process.send(server.address().port));
