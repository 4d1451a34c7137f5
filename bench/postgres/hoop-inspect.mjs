// Starts `hoop-inspect`, a relay in Go that does a similar job: it judges statements, masks results, and
// writes an audit file. Clients sign in at the target through it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onEnd } from '../kit/ends.mjs';
import { answers, freePort } from '../kit/ports.mjs';

/**
 * Starts the relay with rules like those of the column `guarded`. A statement waits for its line of the audit
 * file, because ours waits for its record.
 * @param program its path; undefined if the environment variable BENCH_PEER is not set
 * @returns undefined without a program
 */
export async function startHoopInspect(program, target) {
  if (program === undefined) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'gateway-bench-peer-'));
  const port = await freePort();
  const { hostname, port: targetPort } = new URL(target);
  const config = join(folder, 'config.json');
  writeFileSync(
    config,
    JSON.stringify({
      log_level: 'error',
      audit: { file: join(folder, 'audit.jsonl'), async_queue_size: 0, fail_closed: true },
      pii: { entities: ['EMAIL_ADDRESS', 'CREDIT_CARD'] },
      policy: {
        enforce: true,
        rules: [
          { name: 'destructive', type: 'operation', operations: ['drop', 'truncate'], message: 'refused' },
          {
            name: 'words',
            type: 'pattern_match',
            pattern_regex: String.raw`(?i)\b(pg_sleep|pg_read_file|pg_shadow|lo_import|dblink)\b`,
            message: 'refused',
          },
          {
            name: 'program',
            type: 'pattern_match',
            pattern_regex: String.raw`(?i)\bcopy\b[^;]*\bprogram\b`,
            message: 'refused',
          },
        ],
      },
      mask: {
        enabled: true,
        rules: [
          { name: 'emails', entity: 'EMAIL_ADDRESS', strategy: 'partial', keep_last: 4 },
          { name: 'cards', entity: 'CREDIT_CARD', strategy: 'partial', keep_last: 4 },
        ],
      },
      listeners: [
        {
          name: 'bench',
          protocol: 'postgres',
          listen: `127.0.0.1:${port}`,
          upstream: `${hostname}:${targetPort}`,
          connection: 'bench',
        },
      ],
    }),
  );
  const child = spawn(program, ['-config', config], { stdio: ['ignore', 'ignore', 'inherit'] });
  const ended = once(child, 'exit');
  onEnd(async () => {
    child.kill();
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });
  await answers(port, () => child.exitCode === null);
  const url = new URL(target);
  url.port = String(port);
  return { url: url.href, pid: child.pid };
}
