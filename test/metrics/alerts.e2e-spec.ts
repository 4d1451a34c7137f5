import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from '../support/root';
import { describeWith } from '../support/tls';

/** Checks the alert rules with promtool of Prometheus, which Debian has in the package `prometheus`. */
describeWith('promtool')('the alert rules', () => {
  const promtool = (...words: string[]): string =>
    execFileSync('promtool', words, {
      cwd: join(ROOT, 'deploy/prometheus'),
      encoding: 'utf8',
      stdio: 'pipe',
    });

  it('are rules of Prometheus', () => {
    expect(promtool('check', 'rules', 'alerts.yaml')).toMatch(/SUCCESS: \d+ rules found/);
  });

  it('fire when they should, and not before', () => {
    expect(promtool('test', 'rules', 'alerts.test.yaml')).toContain('SUCCESS');
  });
});
