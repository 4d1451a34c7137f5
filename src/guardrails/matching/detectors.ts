import type { Detector } from './detector';
import { email } from './email';
import { iban } from './iban';
import { paymentCard } from './payment-card';
import { phone } from './phone';
import { awsKey, jwt, privateKey } from './secrets';
import { usSsn } from './us-ssn';

export { type Detector, LOOK_BEHIND } from './detector';

/** Kinds of sensitive data that entries of the type `detector` may name. */
export const DETECTOR_NAMES = [
  'email',
  'payment_card',
  'us_ssn',
  'iban',
  'phone',
  'aws_key',
  'jwt',
  'private_key',
] as const;
export type DetectorName = (typeof DETECTOR_NAMES)[number];

export const DETECTORS: Readonly<Record<DetectorName, Detector>> = {
  email,
  payment_card: paymentCard,
  us_ssn: usSsn,
  iban,
  phone,
  aws_key: awsKey,
  jwt,
  private_key: privateKey,
};
