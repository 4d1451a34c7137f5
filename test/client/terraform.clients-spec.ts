import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeProcesses } from '../support/describe';
import { GatewayProcess } from '../support/gateway-process';
import { secretOf } from '../support/target';
import { startFaultProxy } from './fault-proxy';
import { probes } from './generators';
import { expectPublishable, itWith, runIn } from './own-tests';
import { clientFolder } from './published';

const FOLDER = clientFolder('terraform');

/**
 * `npm run test:clients`: tests the built Terraform provider with Terraform or OpenTofu, against a built
 * gateway.
 */
describeProcesses('the Terraform provider', ({ begin, folder, target, production }) => {
  const gateway = begin(
    () => GatewayProcess.start({ ...production.variables, JOURNAL_DIR: folder.path }),
    (it) => it.stop(),
  );
  const faults = begin(() => startFaultProxy(gateway.api));
  const work = begin(
    async () => ({ path: await mkdtemp(join(tmpdir(), 'gateway-terraform-')) }),
    ({ path }) => rm(path, { recursive: true, force: true }),
  );

  it('says its version, has a README and a licence', () => {
    expectPublishable('terraform', {
      'go.mod': /^\s*(?:require )?github\.com\/access-gateway\/access-gateway\/clients\/go v(.*)$/m,
    });
  });

  // promises: TERRAFORM-1, TERRAFORM-5
  itWith(['go'], 'has the fields of the API, and documents them', async () => {
    await runIn(FOLDER, ['go', 'vet', './...'], {});
    await runIn(FOLDER, ['go', 'test', '-count=1', './internal/provider'], {});
  });

  // promises: TERRAFORM-2, TERRAFORM-3, TERRAFORM-4
  itWith(['go', 'terraform'], 'applies configurations', async () => {
    const answer = await gateway.post('/api-keys', await production.token(), {
      name: 'terraform',
      groups: ['admin'],
    });
    const { key } = (await answer.json()) as { key: string };
    await runIn(FOLDER, ['go', 'build', '-o', join(work.path, 'terraform-provider-accessgateway'), '.'], {});
    await runIn(FOLDER, ['go', 'test', '-count=1', '-parallel', '3', './internal/acceptance'], {
      PROVIDER: work.path,
      TERRAFORM: spawnSync('sh', ['-c', probes.terraform]).stdout.toString().trim(),
      GATEWAY_API: gateway.api,
      GATEWAY_KEY: key,
      GATEWAY_FAULTS: faults.address,
      GATEWAY_TARGET: JSON.stringify(secretOf(target)),
    });
  });
});
