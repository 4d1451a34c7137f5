// Checks deploy/compose.yaml with the loader of docker compose.
import { join } from 'node:path';
import { load } from 'js-yaml';
import { program, run } from './tools.mjs';

const root = join(import.meta.dirname, '..', '..');
/** Ports that the gateway listens at where no variable names another; 0: it does not listen. */
const USUAL_PORTS = { PORT: '8009', POSTGRES_PROXY_PORT: '15432', SSH_PROXY_PORT: '0' };
const EXPECTED = ['database', 'gateway', 'identity-provider', 'setup', 'target', 'tools'];

export function checkCompose(options) {
  const loader = program('compose', options);
  if (loader === undefined)
    return { tried: [], notTried: ['the loader of docker compose: there is no Go'], wrong: [] };
  // Interpolation is off, because the loader's command sees no environment variables.
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
  const { environment } = services.gateway;
  const soft = ['gateway', 'setup', 'tools'].filter((name) => !isHardened(services[name] ?? {}));
  return [
    ...(Object.keys(services).sort().join() === EXPECTED.join()
      ? []
      : [`these services were expected: ${EXPECTED.join(', ')}`]),
    ...soft.map((name) => `${name} is not hardened`),
    ...['PORT', 'POSTGRES_PROXY_PORT', 'SSH_PROXY_PORT']
      .map((name) => environment[name] ?? USUAL_PORTS[name])
      .filter((port) => !services['identity-provider'].ports.some(({ published }) => published === port))
      .map((port) => `the port ${port} of the gateway is not published`),
    ...(environment.MCP_ALLOWED_HOSTS === 'tools' ? [] : ['the gateway may not reach the MCP server']),
    ...Object.entries(services).flatMap(([name, { image = '' }]) =>
      image === 'access-gateway' || image.startsWith('quay.io/keycloak/') || image.includes('@sha256:')
        ? []
        : [`the image of ${name} is not pinned by its digest`],
    ),
    ...(/^\$\{\w+:\?/.test(environment.SECRET_KEY)
      ? []
      : ['a start without a key of its own is not refused']),
  ];
}

function isHardened({ read_only, cap_drop, user }) {
  return read_only === true && cap_drop?.includes('ALL') && /^[1-9]\d*:[1-9]\d*$/.test(user);
}
