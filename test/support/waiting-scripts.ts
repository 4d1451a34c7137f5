import type { DataPath } from './data-path';
import { type Answer, type Person, type TestGateway } from './gateway';

/** Returns the time of the day `hours` hours from now: HH:MM in UTC. */
export function hoursFromNow(hours: number): string {
  return new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 16);
}

export function window(start: number, end: number): object {
  return {
    type: 'time_range',
    configuration: { start_time: hoursFromNow(start), end_time: hoursFromNow(end) },
  };
}

/**
 * Creates a rule: the group dba must approve each script and call on the connection `name`. `more` replaces
 * fields of the rule.
 */
export async function ruleForScripts(gateway: TestGateway, name: string, more: object = {}): Promise<void> {
  const answer = await gateway.call('admin', 'POST', '/access-requests/rules', {
    name,
    access_type: 'command',
    reviewers_groups: ['dba'],
    min_approvals: 1,
    connection_names: [name],
    ...more,
  });
  if (answer.status !== 201) throw new Error(`the rule was not created: ${answer.text}`);
}

/** Creates a connection, and the rule that `ruleForScripts` creates for it. */
export async function connectReviewed(
  path: Pick<DataPath, 'gateway' | 'connect'>,
  name: string,
  more: object = {},
): Promise<void> {
  await path.connect(name, more);
  await ruleForScripts(path.gateway, name);
}

/** Approves a review as the person (default: bob). */
export async function approve(
  gateway: TestGateway,
  review: string,
  { person = 'bob', ...more }: { person?: Person; time_window?: object } = {},
): Promise<void> {
  const answer = await gateway.call(person, 'PUT', `/reviews/${review}`, { status: 'APPROVED', ...more });
  if (answer.status !== 200) throw new Error(`not approved: ${answer.status} ${answer.text}`);
}

/** Helpers for scripts that wait for an approval. */
export interface Approvals {
  /** Creates a connection on which the group dba must approve each script. Returns its name. */
  reviewed(more?: object): Promise<string>;
  /** Starts a script that waits for approval, by default as alice. Returns the ids of session and review. */
  ask(script: string, connection: string, person?: Person): Promise<{ id: string; review: string }>;
  /** Starts a script as `ask` does, and approves it. */
  approved(script: string, connection: string, person?: Person): Promise<{ id: string; review: string }>;
  exec(id: string, person?: Person, body?: object, gateway?: TestGateway): Promise<Answer>;
  /** Status of the session and of its review. */
  stateOf(id: string): Promise<[string, string]>;
}

export function approvalsOn(path: Pick<DataPath, 'gateway' | 'run' | 'read' | 'connect'>): Approvals {
  let count = 0;
  const ask: Approvals['ask'] = async (script, connection, person = 'alice') => {
    const { status, body } = await path.run(script, { connection }, person);
    if (status !== 202) throw new Error(`the script does not wait: ${status} ${JSON.stringify(body)}`);
    return { id: body.session_id as string, review: body.review_id as string };
  };
  return {
    reviewed: async (more = {}) => {
      const connection = `reviewed-${++count}`;
      await connectReviewed(path, connection, { attributes: [connection], ...more });
      return connection;
    },
    ask,
    approved: async (script, connection, person) => {
      const asked = await ask(script, connection, person);
      await approve(path.gateway, asked.review);
      return asked;
    },
    exec: (id, person = 'alice', body, gateway = path.gateway) =>
      gateway.call(person, 'POST', `/sessions/${id}/exec`, body),
    stateOf: async (id) => {
      const { body } = await path.read(id);
      return [body.status, body.review?.status];
    },
  };
}
