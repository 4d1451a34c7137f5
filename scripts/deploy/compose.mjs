// deploy/compose.yaml, loaded as docker compose loads it.
import { join } from 'node:path';
import { load } from 'js-yaml';
import { program, run } from './tools.mjs';

const root = join(import.meta.dirname, '..', '..');
const EXPECTED = ['database', 'gateway', 'identity-provider', 'setup', 'target'];

export function checkCompose(options) {
  const loader = program('compose', options);
  if (loader === undefined)
    return { tried: [], notTried: ['the loader of docker compose: there is no Go'], wrong: [] };
  // Its command sees no variables of the environment.
  const { isRight, stdout, stderr } = run(loader, ['-no-interpolation', 'compose.yaml'], {
    cwd: join(root, 'deploy'),
  });
  const wrong = isRight ? faultsOf(load(stdout).services) : [stderr];
  return {
    tried: [`loaded by compose-go: ${EXPECTED.join(', ')}`],
    notTried: ['starting it: there is no Docker daemon, and images come from registries of images'],
    wrong,
  };
}

function faultsOf(services) {
  const { read_only, cap_drop, user, environment } = services.gateway;
  return [
    ...(Object.keys(services).sort().join() === EXPECTED.join()
      ? []
      : [`these services were expected: ${EXPECTED.join(', ')}`]),
    ...(read_only === true && cap_drop?.includes('ALL') && user === '10001:10001'
      ? []
      : ['the gateway is not hardened']),
    ...(/^\$\{\w+:\?/.test(environment.SECRET_KEY)
      ? []
      : ['a start without a key of its own is not refused']),
  ];
}
