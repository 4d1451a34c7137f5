// npm run test:deploy: what deploy/ has, held against the real tools and schemas: the Helm chart, the compose
// file, the systemd unit. A tool that is not there, and cannot be got in time, is named with what was not
// tried without it. --install gets them all first (Helm takes minutes).
import { checkChart } from './deploy/chart.mjs';
import { checkCompose } from './deploy/compose.mjs';
import { checkUnit } from './deploy/unit.mjs';

const install = process.argv.includes('--install');
const faults = [];
for (const [name, check] of Object.entries({
  'Helm chart': checkChart,
  'compose file': checkCompose,
  'systemd unit': checkUnit,
})) {
  const { tried, notTried, wrong } = check({ install });
  for (const line of tried) console.log(`${name}: ${line}`);
  for (const line of notTried) console.log(`${name}: NOT TRIED: ${line}`);
  faults.push(...wrong.map((line) => `${name}: ${line}`));
}
for (const fault of faults) console.error(fault);
process.exitCode = faults.length === 0 ? 0 : 1;
