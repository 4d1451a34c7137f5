// Starts another gateway for MCP servers, `mcpproxyd` v0.1.7, for comparison. It does similar work: it
// identifies the caller, decides which tools may be called, and records.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onEnd } from '../kit/ends.mjs';
import { answers, freePort } from '../kit/ports.mjs';

const TOKEN = 'a-token-of-the-bench';

/** @param program its path @param url of the MCP server */
export async function startPeer(program, url) {
  const folder = mkdtempSync(join(tmpdir(), 'peer-bench-'));
  const port = await freePort();
  const config = {
    listen: `127.0.0.1:${port}`,
    inbound: { mode: 'static', token: TOKEN },
    backends: { bench: { transport: 'streamable-http', url, auth: 'none' } },
    policy: { allowed_tools: ['e*'], denied_tools: ['drop*'] },
    wal_dir: join(folder, 'recordings'),
  };
  // Every JSON text is also YAML.
  writeFileSync(join(folder, 'config.yaml'), JSON.stringify(config));
  const child = spawn(program, ['-config', join(folder, 'config.yaml')], {
    cwd: folder,
    env: { HOME: folder, MCPPROXY_STATE_DIR: folder },
    stdio: 'ignore',
  });
  const ended = once(child, 'exit');
  onEnd(async () => {
    child.kill();
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });
  await answers(port, () => child.exitCode === null);
  return { url: `http://127.0.0.1:${port}/mcp`, token: TOKEN, pid: child.pid };
}
