import { Checkbox, Fieldset, Group, NativeSelect, NumberInput, Stack, Text } from '@mantine/core';
import { LinesInput } from '../parts/lines-input';
import { texts } from '../texts';
import type { McpPolicy } from './connection';

const t = texts.adminConnections.policy;
const REQUESTS = [
  'sampling',
  'elicitation',
  'roots',
] as const satisfies readonly McpPolicy['server_requests'][number][];
const LIMITS = ['calls_per_minute', 'result_bytes', 'streams'] as const;

interface Props {
  readonly policy: McpPolicy;
  readonly onChange: (policy: McpPolicy) => void;
}

/** Inputs for the tools, resources and prompts that MCP clients may use, and for the limits. */
export function PolicyInputs({ policy, onChange }: Props) {
  const { tools, resources, prompts } = policy;
  return (
    <Fieldset legend={t.title}>
      <Stack>
        <Text size="sm">{t.patterns}</Text>
        <LinesInput
          label={t.tools.allowed}
          value={tools.allowed ?? []}
          onChange={(allowed) => onChange({ ...policy, tools: { ...tools, allowed } })}
        />
        <LinesInput
          label={t.tools.denied}
          value={tools.denied ?? []}
          onChange={(denied) => onChange({ ...policy, tools: { ...tools, denied } })}
        />
        <LinesInput
          label={t.tools.approval}
          value={tools.approval ?? []}
          onChange={(approval) => onChange({ ...policy, tools: { ...tools, approval } })}
        />
        <LinesInput
          label={t.resources.allowed}
          value={resources.allowed ?? []}
          onChange={(allowed) => onChange({ ...policy, resources: { ...resources, allowed } })}
        />
        <LinesInput
          label={t.resources.denied}
          value={resources.denied ?? []}
          onChange={(denied) => onChange({ ...policy, resources: { ...resources, denied } })}
        />
        <LinesInput
          label={t.prompts.allowed}
          value={prompts.allowed ?? []}
          onChange={(allowed) => onChange({ ...policy, prompts: { ...prompts, allowed } })}
        />
        <LinesInput
          label={t.prompts.denied}
          value={prompts.denied ?? []}
          onChange={(denied) => onChange({ ...policy, prompts: { ...prompts, denied } })}
        />
        <NativeSelect
          label={t.newTools}
          value={policy.new_tools}
          onChange={({ currentTarget }) =>
            onChange({ ...policy, new_tools: currentTarget.value === 'hold' ? 'hold' : 'allow' })
          }
          data={[
            { value: 'allow', label: t.allow },
            { value: 'hold', label: t.hold },
          ]}
        />
        <Checkbox.Group
          label={t.requests}
          value={policy.server_requests}
          onChange={(given) =>
            onChange({ ...policy, server_requests: REQUESTS.filter((one) => given.includes(one)) })
          }
        >
          <Group mt={4}>
            {REQUESTS.map((one) => (
              <Checkbox key={one} value={one} label={one} />
            ))}
          </Group>
        </Checkbox.Group>
        {LIMITS.map((limit) => (
          <NumberInput
            key={limit}
            label={t[limit]}
            value={policy[limit] ?? ''}
            onChange={(value) => onChange({ ...policy, [limit]: value === '' ? null : Number(value) })}
            allowDecimal={false}
            allowNegative={false}
            hideControls
          />
        ))}
      </Stack>
    </Fieldset>
  );
}

const given = (lines: readonly string[] = []): string[] => lines.filter((line) => line !== '');

/** Removes empty lines from the lists of a policy. */
export function policyAsGiven({ tools, resources, prompts, ...others }: McpPolicy): McpPolicy {
  return {
    tools: { allowed: given(tools.allowed), denied: given(tools.denied), approval: given(tools.approval) },
    resources: { allowed: given(resources.allowed), denied: given(resources.denied) },
    prompts: { allowed: given(prompts.allowed), denied: given(prompts.denied) },
    ...others,
  };
}
