// Checks the Helm chart: helm lint and helm template with all values, the rendered objects by the schemas of
// Kubernetes, and values that must be refused.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import Ajv from 'ajv/dist/2020.js';
import { loadAll } from 'js-yaml';
import { kubernetesSchemas, program, run } from './tools.mjs';

const root = join(import.meta.dirname, '..', '..');
const chart = join(root, 'deploy/helm/access-gateway');
const VALUES = ['smallest', 'everything'];
/** The oldest and the newest version that the chart is for. */
const KUBERNETES = ['1.27.0', '1.37.0'];
/** Kinds that an operator defines. No package has their schemas. */
const WITHOUT_SCHEMA = ['ServiceMonitor'];
const REFUSED = {
  'a secret among the variables': ['--set', 'env.SECRET_KEY=canary'],
  'a database among the variables': ['--set', 'env.DATABASE_URL=postgres://canary'],
  'a port among the variables': ['--set', 'env.SSH_PROXY_PORT=2222'],
  'an unknown value': ['--set', 'replica=3'],
  'no secret': ['--set', 'secrets.existingSecret='],
  'an address with a path': ['--set', 'apiUrl=https://gateway.example.com/api'],
  'no replicas': ['--set', 'replicas=0'],
};

export function checkChart(options) {
  const helm = program('helm', options);
  if (helm === undefined)
    return {
      tried: [],
      notTried: ['helm is not here: npm run test:deploy -- --install builds it with Go, in some minutes'],
      wrong: [],
    };
  const wrong = [];
  const schemas = kubernetesSchemas();
  let objects = 0;
  for (const values of VALUES) {
    const file = join(chart, 'ci', `${values}-values.yaml`);
    const lint = run(helm, ['lint', '--strict', '--quiet', chart, '--values', file]);
    if (!lint.isRight) wrong.push(`helm lint, ${values}: ${lint.stdout}${lint.stderr}`);
    for (const version of KUBERNETES) {
      const args = ['template', 'gateway', chart, '--kube-version', version, '--values', file];
      const made = run(helm, args);
      if (!made.isRight) wrong.push(`helm template, ${values}: ${made.stderr}`);
      const documents = loadAll(made.stdout).filter((document) => document !== null);
      objects += documents.length;
      wrong.push(
        ...[...faultsOfPods(documents), ...faultsOfPorts(documents)].map((fault) => `${values}: ${fault}`),
        ...(values === 'everything' ? withoutPorts(documents) : []),
      );
      if (schemas === undefined) continue;
      wrong.push(
        ...faultsBySchema(documents, schemas, version).map((fault) => `${values}, ${version}: ${fault}`),
      );
      if (values === 'smallest') wrong.push(...plantedFaults(documents, schemas, version));
    }
  }
  const smallest = join(chart, 'ci', 'smallest-values.yaml');
  for (const [what, set] of Object.entries(REFUSED))
    if (
      run(helm, ['template', 'gateway', chart, '--kube-version', KUBERNETES[0], '--values', smallest, ...set])
        .isRight
    )
      wrong.push(`these values should be refused: ${what}`);
  return {
    tried: [
      `helm lint and helm template: ${objects} objects of ${VALUES.length} sets of values for Kubernetes ${KUBERNETES.join(' and ')}`,
      `${Object.keys(REFUSED).length} sets of wrong values`,
    ],
    notTried: [
      ...(schemas === undefined ? ['schemas of Kubernetes: there is no pip'] : []),
      `the schema of ${WITHOUT_SCHEMA.join(', ')}, and a cluster`,
    ],
    wrong,
  };
}

function faultsBySchema(documents, schemas, version) {
  const folder = join(schemas, `v${version}-local-strict`);
  // Removes the ids of the schemas, because they are not unique.
  const read = (name) => ({ ...JSON.parse(readFileSync(join(folder, name), 'utf8')), $id: undefined });
  const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });
  ajv.addSchema(read('_definitions.json'), '/api/_definitions.json');
  return documents.flatMap((document) => {
    const { apiVersion, kind, metadata } = document;
    if (WITHOUT_SCHEMA.includes(kind)) return [];
    const [group, number] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
    const name = [kind.toLowerCase(), ...(group === '' ? [] : [group.split('.')[0]]), number].join('-');
    const validate = ajv.compile(read(`${name}.json`));
    if (validate(document)) return [];
    return validate.errors.map(
      ({ instancePath, message }) => `${kind} ${metadata.name} ${instancePath} ${message}`,
    );
  });
}

/** Makes sure that the schemas find planted faults. Otherwise a result without faults would prove nothing. */
function plantedFaults(documents, schemas, version) {
  const planted = structuredClone(documents.find(({ kind }) => kind === 'StatefulSet'));
  planted.spec.replicas = 'two';
  planted.spec.template.spec.containers[0].readinesProbe = {};
  const found = faultsBySchema([planted], schemas, version);
  return found.length >= 2 ? [] : ['planted faults were not found by the schemas'];
}

/** Checks that services and the network policy lead to each port of a pod, and to no others. */
function faultsOfPorts(documents) {
  const { containers } = documents.find(({ kind }) => kind === 'StatefulSet').spec.template.spec;
  const ofPods = containers[0].ports.map(({ name }) => name);
  const ofKind = (kind) => documents.filter((document) => document.kind === kind);
  const served = ofKind('Service').flatMap(({ spec }) => spec.ports.map(({ targetPort }) => targetPort));
  const allowed = ofKind('NetworkPolicy').flatMap(({ spec }) =>
    spec.ingress.flatMap(({ ports }) => ports.map(({ port }) => port)),
  );
  const missing = (names, others) => names.filter((name) => !others.includes(name));
  return [
    ...missing(ofPods, served).map((name) => `no service leads to the port ${name}`),
    ...missing(ofPods, allowed).map((name) => `the network policy closes the port ${name}`),
    ...missing([...served, ...allowed], ofPods).map((name) => `pods have no port ${name}`),
  ];
}

/** Checks that all ports are there with all values, and that the rules above find a missing one. */
function withoutPorts(documents) {
  const planted = structuredClone(documents);
  const [container] = planted.find(({ kind }) => kind === 'StatefulSet').spec.template.spec.containers;
  const names = container.ports.map(({ name }) => name);
  container.ports = container.ports.filter(({ name }) => name !== 'ssh');
  return [
    ...['rest', 'postgres', 'ssh', 'metrics']
      .filter((name) => !names.includes(name))
      .map((name) => `everything: the port ${name} is missing`),
    ...(faultsOfPorts(planted).length === 2 ? [] : ['a planted missing port was not found']),
  ];
}

/**
 * Checks rules that are in no schema of Kubernetes: the names of our variables, our time limits, and the
 * requirements of a restricted namespace.
 */
function faultsOfPods(documents) {
  const { variables } = createRequire(import.meta.url)(join(root, 'dist/src/platform/config/variables.js'));
  const known = new Set(Object.keys(variables.shape));
  const pod = documents.find(({ kind }) => kind === 'StatefulSet').spec.template.spec;
  const [container] = pod.containers;
  const env = Object.fromEntries(container.env.map(({ name, value }) => [name, value]));
  const unknown = Object.keys(env).filter(
    (name) => !known.has(name) && !known.has(name.replace(/_FILE$/, '')),
  );
  const needed = Number(env.SHUTDOWN_DELAY_SECONDS) + Number(env.SHUTDOWN_GRACE_SECONDS) + 9;
  const isRestricted =
    pod.securityContext.runAsNonRoot &&
    pod.securityContext.seccompProfile.type === 'RuntimeDefault' &&
    container.securityContext.allowPrivilegeEscalation === false &&
    container.securityContext.readOnlyRootFilesystem &&
    container.securityContext.capabilities.drop.includes('ALL');
  return [
    ...unknown.map((name) => `the gateway has no variable ${name}`),
    ...(pod.terminationGracePeriodSeconds > needed ? [] : ['a pod is killed before it has stopped']),
    ...(isRestricted ? [] : ['the pod is not restricted']),
    ...(['startupProbe', 'livenessProbe', 'readinessProbe'].every((name) => name in container)
      ? []
      : ['a probe is missing']),
    ...(documents.some(({ kind }) => kind === 'Secret') ? ['the chart makes a secret'] : []),
  ];
}
