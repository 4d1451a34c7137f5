import { parseJson } from '../../kernel/json/json';
import { CandidateDetector, tokenHead } from './detector';

const wholeCandidate = (candidate: string, _: string, start: number): number => start + candidate.length;

/** Access key ids with the prefixes of credentials (AWS, "IAM identifiers"). */
const AWS_KEY_ID = String.raw`${tokenHead('(?:AKIA|ASIA|ABIA|ACCA)')}[A-Z\d]{16}(?![A-Za-z\d])`;
/**
 * A secret access key counts only after its name, because forty characters of Base64 could be anything. The
 * match includes the name, because a stream that had already released the name could not recognize the key.
 */
const AWS_SECRET_KEY =
  String.raw`[Ss](?:ecret|ECRET)[_ \-]?(?:[Aa](?:ccess|CCESS)[_ \-]?)?[Kk](?:ey|EY)` +
  String.raw`["'\\]{0,2}\s{0,4}(?:[=:|,]|=>|:=)?\s{0,4}["'\\]{0,2}[A-Za-z\d\/+]{40}(?![A-Za-z\d\/+=])`;

/** AWS access key ids, and secret access keys after their name. */
export const awsKey = new CandidateDetector(
  74,
  new RegExp(`${AWS_KEY_ID}|${AWS_SECRET_KEY}`, 'gu'),
  wholeCandidate,
);

const JWT_HEADER_MOST = 2_048;
const JWT_PAYLOAD_MOST = 12_288;
const JWT_SIGNATURE_MOST = 2_048;

/**
 * JSON web tokens: three parts of Base64url, of which the first is JSON that
 * names an algorithm (RFC 7515, 7.1).
 */
export const jwt = new CandidateDetector(
  JWT_HEADER_MOST + JWT_PAYLOAD_MOST + JWT_SIGNATURE_MOST + 2,
  new RegExp(
    String.raw`${tokenHead('eyJ', String.raw`\w\-`)}[\w\-]{5,${JWT_HEADER_MOST - 3}}\.` +
      String.raw`[\w\-]{0,${JWT_PAYLOAD_MOST}}\.[\w\-]{0,${JWT_SIGNATURE_MOST}}`,
    'g',
  ),
  (candidate, text, start) =>
    namesAlgorithm(candidate.slice(0, candidate.indexOf('.')))
      ? wholeCandidate(candidate, text, start)
      : undefined,
);

function namesAlgorithm(header: string): boolean {
  try {
    const decoded: unknown = parseJson(Buffer.from(header, 'base64url').toString());
    return typeof decoded === 'object' && decoded !== null && 'alg' in decoded;
  } catch {
    return false;
  }
}

const KEY_MOST = 16_384;
const keyMark = (word: string): string =>
  String.raw`-{4,5} ?${word} (?:[A-Z\d]{1,16} ){0,3}PRIVATE KEY(?: BLOCK)? ?-{4,5}`;

/**
 * Private keys between their BEGIN and END marks, however line breaks are written. Without an END mark, the
 * match has up to `KEY_MOST` units, which may be more than the key.
 */
export const privateKey = new CandidateDetector(
  KEY_MOST,
  new RegExp(keyMark('BEGIN'), 'g'),
  (_, text, start) => {
    const most = text.slice(start, start + KEY_MOST);
    const endMark = new RegExp(keyMark('END')).exec(most);
    return start + (endMark === null ? most.length : endMark.index + endMark[0].length);
  },
);
