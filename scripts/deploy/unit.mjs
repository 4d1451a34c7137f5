// Checks deploy/systemd with systemd-analyze: `verify`, and `security`, which judges the hardening.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from './tools.mjs';

const unit = join(import.meta.dirname, '..', '..', 'deploy/systemd/access-gateway.service');
/**
 * Exposure limit of systemd-analyze security, times ten: 0 is closed, 10 is open, and below 2 it reports OK.
 */
const EXPOSURE = 20;

export function checkUnit() {
  if (!run('systemd-analyze', ['--version']).isRight)
    return { tried: [], notTried: ['systemd-analyze is not here'], wrong: [] };
  const folder = mkdtempSync(join(tmpdir(), 'gateway-unit-'));
  const copy = join(folder, 'access-gateway.service');
  try {
    // Replaces the program of the unit, because it may not be installed here.
    writeFileSync(copy, readFileSync(unit, 'utf8').replace('/usr/bin/node', process.execPath));
    const verified = run('systemd-analyze', ['verify', '--man=no', copy]);
    const complaints = `${verified.stdout}${verified.stderr}`
      .split('\n')
      .filter((line) => line.includes('access-gateway'));
    const wrong = verified.isRight
      ? complaints
      : [`systemd-analyze verify: ${complaints.join('\n')}${verified.stderr}`];
    const judged = run('systemd-analyze', [
      'security',
      '--offline=true',
      '--no-pager',
      `--threshold=${EXPOSURE}`,
      copy,
    ]);
    const [, exposure = ''] = /exposure level for .*?: ([\d.]+ \w+)/.exec(judged.stdout) ?? [];
    if (!judged.isRight) wrong.push(`systemd-analyze security: ${exposure} ${judged.stderr}`);
    return {
      tried: [`systemd-analyze verify; exposure ${exposure}`],
      notTried: ['starting it: there is no systemd'],
      wrong,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
