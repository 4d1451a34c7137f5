// npm run test:deploy: checks deploy/ (the Helm chart, the compose file and the systemd unit) with the real
// tools and schemas. If a tool is missing and cannot be installed quickly, prints its name and the checks
// that were not tried. --install installs all tools first (Helm takes minutes).
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
