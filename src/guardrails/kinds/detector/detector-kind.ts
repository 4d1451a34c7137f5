import { DETECTOR_NAMES } from '../../matching/detectors';
import type { EntryFields } from '../contract/entry-fields';
import type { RuleKind } from '../contract/kind';

const fields = {
  detectors: { form: 'choices', description: 'what is looked for.', choices: DETECTOR_NAMES },
} as const satisfies EntryFields;

export const detectorKind: RuleKind<'detector', typeof fields> = {
  type: 'detector',
  summary: 'sensitive data of known forms',
  directions: ['output'],
  fields,
  example: { detectors: ['email', 'payment_card'], action: 'mask', keep_last: 4 },
  compile({ detectors = [] }) {
    if (detectors.length === 0) throw new Error('detectors must not be empty');
    const unknown = detectors.find((name) => !DETECTOR_NAMES.includes(name));
    if (unknown !== undefined) throw new Error(`detector ${unknown} is unknown`);
    return { kind: 'detectors', names: [...new Set(detectors)] };
  },
};
