import { Alert, List } from '@mantine/core';
import { api } from '../api/client';
import type { components } from '../api/schema';
import { Loaded } from '../parts/loaded';
import { Said } from '../parts/said';
import { texts } from '../texts';

const t = texts.myConnection;

const COLORS = { open: 'green', review: 'blue', refused: 'red' } as const;

interface AccessProps {
  readonly name: string;
  readonly verb?: 'exec' | 'connect';
  /** Text that names the verb (`connect` or `exec`) for the user. */
  readonly label?: string;
}

/** Explains in sentences whether the user may open the connection, and why (the effective policy). */
export function Access({ name, verb, label }: AccessProps) {
  const query = usePolicy(name, verb);
  return <Loaded query={query}>{(policy) => <Policy of={policy} label={label} />}</Loaded>;
}

/** Warns the user in advance that a script must wait or is refused. Empty when scripts run at once. */
export function ScriptAccess({ name }: Pick<AccessProps, 'name'>) {
  const { data } = usePolicy(name, 'exec');
  return data === undefined || data.outcome === 'open' ? null : <Policy of={data} />;
}

function usePolicy(name: string, verb: AccessProps['verb']) {
  return api.useQuery('get', '/connections/{nameOrID}/effective-policy', {
    params: { path: { nameOrID: name }, query: verb === undefined ? {} : { verb } },
  });
}

interface PolicyProps {
  readonly of: components['schemas']['EffectivePolicyView'];
  readonly label?: string | undefined;
}

function Policy({ of: policy, label }: PolicyProps) {
  const { outcome, reasons, reviewers_groups: groups, target_role: role } = policy;
  return (
    <Alert
      color={COLORS[outcome]}
      // Role `note`, not `alert`, because the text does not appear later but is there from the beginning.
      role="note"
      title={label === undefined ? t.outcome[outcome] : `${label}: ${t.outcome[outcome]}`}
    >
      <List>
        {reasons.map(({ code, message }) => (
          <List.Item key={`${code} ${message}`}>
            <Said text={message} />
          </List.Item>
        ))}
        {outcome === 'review' && groups.length > 0 && (
          <List.Item>
            <Said text={t.asked(groups)} />
          </List.Item>
        )}
        {typeof role === 'string' && (
          <List.Item>
            <Said text={t.role(role)} />
          </List.Item>
        )}
      </List>
    </Alert>
  );
}
