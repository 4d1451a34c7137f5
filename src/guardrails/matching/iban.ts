import { CandidateDetector, isLatinLetterOrDigit, tokenHead } from './detector';

/**
 * Length of an IBAN by country: first the countries of SWIFT's IBAN registry, then countries that use IBANs
 * without being in it.
 */
const LENGTHS = new Map(
  (
    'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ' +
    'ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 ' +
    'LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 ' +
    'PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30 ' +
    'AO25 BF28 BJ28 CF27 CG27 CI28 CM27 CV25 DZ26 GA27 GQ27 GW25 IR26 KM27 MA28 MG27 ML28 MZ25 NE28 SN28 TD27 TG28'
  )
    .split(' ')
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
);

/** An IBAN in one piece or in groups of four. It may match too much: the country's length decides the end. */
const CANDIDATE = new RegExp(
  String.raw`${tokenHead('[A-Z]{2}\\d{2}')}(?: ?[A-Z\d]{4}){2,7}(?: ?[A-Z\d]{1,3})?`,
  'giu',
);

/**
 * International bank account numbers with the country's length and valid check digits (ISO 7064, MOD 97-10).
 */
export const iban = new CandidateDetector(41, CANDIDATE, endOfIban);

function endOfIban(candidate: string, text: string, start: number): number | undefined {
  const length = LENGTHS.get(candidate.slice(0, 2).toUpperCase());
  if (length === undefined) return undefined;
  let end = start;
  let compact = '';
  while (compact.length < length && end < start + candidate.length) {
    const sign = text.charAt(end++);
    if (sign !== ' ') compact += sign;
  }
  if (compact.length < length || isLatinLetterOrDigit(text, end)) return undefined;
  return hasRightCheckDigits(compact.toUpperCase()) ? end : undefined;
}

function hasRightCheckDigits(compact: string): boolean {
  let remainder = 0;
  for (const sign of compact.slice(4) + compact.slice(0, 4)) {
    const value = Number.parseInt(sign, 36);
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
  }
  return remainder === 1;
}
