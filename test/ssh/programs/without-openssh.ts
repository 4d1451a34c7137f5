import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CommandLine, IN_TERMINAL, commands, plain, upload } from './command-checks';
import { type Outcome, run, sumOf, versionOf } from './running';
import type { SshWay } from './ways';

/** dbclient of Dropbear, which has no program for files. */
export async function withDbclient(way: SshWay): Promise<Outcome> {
  const { port, user, local, hostKey, keyFile, password = '' } = way;
  mkdirSync(join(local, '.ssh'), { recursive: true, mode: 0o700 });
  writeFileSync(join(local, '.ssh', 'known_hosts'), `127.0.0.1 ${hostKey}\n`);
  const key = join(local, 'dropbear-key');
  if (keyFile !== undefined) await run(way, ['dropbearconvert', 'openssh', 'dropbear', keyFile, key]);
  const signIn = keyFile === undefined ? [] : ['-i', key];
  const environment = { DROPBEAR_PASSWORD: password };
  const line: CommandLine = (command) => [
    'dbclient',
    ...signIn,
    '-p',
    String(port),
    `${user}@127.0.0.1`,
    command,
  ];
  // It asks for no terminal on the server where it has none itself.
  return {
    versions: { Dropbear: await versionOf(way, ['dbclient', '-V']) },
    seen: await commands(way, line, environment),
  };
}

/** plink, pscp and psftp of PuTTY. */
export async function withPutty(way: SshWay): Promise<Outcome> {
  const { port, user, local, remote, hostKey, keyFile, password = '' } = way;
  const key = join(local, 'key.ppk');
  if (keyFile !== undefined)
    await run(way, ['puttygen', keyFile, '-O', 'private', '-o', key, '--new-passphrase', '/dev/null']);
  const fingerprint = createHash('sha256')
    .update(Buffer.from(hostKey.split(' ')[1] ?? '', 'base64'))
    .digest('base64')
    .replace(/=$/, '');
  const options = ['-batch', '-hostkey', `SHA256:${fingerprint}`, '-P', String(port)];
  options.push(...(keyFile === undefined ? ['-pw', password] : ['-i', key]));
  const line: CommandLine = (command) => ['plink', '-ssh', ...options, `${user}@127.0.0.1`, command];
  const [program = '', ...args] = line(IN_TERMINAL);
  const terminal = await run(way, [program, '-t', ...args], { environment: { TERM: 'vt100' } });
  const copied = [];
  for (const protocol of ['-sftp', '-scp'])
    copied.push(
      await run(way, [
        'pscp',
        ...options,
        '-q',
        protocol,
        upload(way),
        `${user}@127.0.0.1:${remote}/copy.bin`,
      ]),
      await run(way, [
        'pscp',
        ...options,
        '-q',
        protocol,
        `${user}@127.0.0.1:${remote}/copy.bin`,
        `${local}/copy.bin`,
      ]),
    );
  writeFileSync(
    join(local, 'batch'),
    `cd ${remote}\nmkdir sub\nmv copy.bin sub/a.bin\nchmod 600 sub/a.bin\nget missing\nget sub/a.bin ${local}/down.bin\nrm sub/a.bin\nrmdir sub\nquit\n`,
  );
  const files = await run(way, ['psftp', ...options, '-be', '-b', join(local, 'batch'), `${user}@127.0.0.1`]);
  return {
    versions: { PuTTY: await versionOf(way, ['plink', '-V']) },
    seen: {
      ...(await commands(way, line, {})),
      terminal: plain(terminal, way),
      pscp: [...copied.map((end) => plain(end, way)), sumOf(`${local}/copy.bin`)],
      psftp: [...plain(files, way), sumOf(`${local}/down.bin`)],
    },
  };
}

/** curl, whose SSH is libssh2. */
export async function withCurl(way: SshWay): Promise<Outcome> {
  const { port, user, local, remote, hostKey, keyFile, password = '' } = way;
  const key = Buffer.from(hostKey.split(' ')[1] ?? '', 'base64');
  const hash = createHash('sha256').update(key).digest('base64');
  const signIn =
    keyFile === undefined
      ? ['-u', `${user}:${password}`]
      : ['-u', `${user}:`, '--key', keyFile, '--pubkey', `${keyFile}.pub`];
  const curl = (scheme: string, path: string, ...args: string[]) =>
    run(way, [
      'curl',
      '-sS',
      '--hostpubsha256',
      hash,
      ...signIn,
      ...args,
      `${scheme}://127.0.0.1:${port}${path}`,
    ]);
  const seen: Record<string, unknown> = {};
  for (const scheme of ['sftp', 'scp'])
    seen[scheme] = [
      plain(await curl(scheme, `${remote}/${scheme}.bin`, '-T', upload(way)), way),
      plain(await curl(scheme, `${remote}/${scheme}.bin`, '-o', `${local}/${scheme}.bin`), way),
      plain(await curl(scheme, `${remote}/missing`, '-o', `${local}/missing`), way),
      sumOf(`${local}/${scheme}.bin`),
    ];
  const part = await curl('sftp', `${remote}/sftp.bin`, '-r', '500000-', '-o', `${local}/part.bin`);
  const quotes = [
    `mkdir ${remote}/sub`,
    `rename ${remote}/sftp.bin ${remote}/sub/a`,
    `chmod 600 ${remote}/sub/a`,
  ];
  const quoted = await curl('sftp', `${remote}/sub/`, ...quotes.flatMap((quote) => ['-Q', quote]), '-l');
  const removals = [`rm ${remote}/sub/a`, `rmdir ${remote}/sub`, `rm ${remote}/scp.bin`];
  const removed = await curl('sftp', `${remote}/`, ...removals.flatMap((quote) => ['-Q', quote]), '-l');
  const { out } = await run(way, ['curl', '--version']);
  const [, libssh2 = 'unknown'] = /libssh2\/(\S+)/.exec(out) ?? [];
  return {
    versions: { curl: await versionOf(way, ['curl', '--version']), libssh2 },
    seen: {
      ...seen,
      part: [plain(part, way), sumOf(`${local}/part.bin`)],
      quoted: [plain(quoted, way).slice(0, 1), quoted.out.split('\n').toSorted()],
      removed: [plain(removed, way).slice(0, 1), removed.out.split('\n').toSorted()],
    },
  };
}
