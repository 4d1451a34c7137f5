import { malformedStartUp, signInRefusal } from './refusal';

/** Printable ASCII without the comma (RFC 5802, section 7). */
const NONCE = String.raw`[\x21-\x2b\x2d-\x7e]+`;
/**
 * Matches client-first-message: channel binding flag , authzid , bare message. The bare message is [mandatory
 * extension ,] user name , nonce [, extensions].
 */
const CLIENT_FIRST = new RegExp(
  String.raw`^(?<gs2>(?<flag>n|y|p=[A-Za-z0-9.-]+),(?<authzid>a=[^,]*)?,)(?<bare>(?<must>m=[^,]*,)?n=[^,]*,r=(?<nonce>${NONCE})(?:,[A-Za-z]=[^,]*)*)$`,
);
/**
 * Matches client-final-message: channel binding , nonce [, extensions] , proof of 32 bytes (44 base64
 * characters).
 */
const CLIENT_FINAL = new RegExp(
  String.raw`^(?<bare>c=(?<binding>[A-Za-z0-9+/]+=*),r=(?<nonce>${NONCE})(?:,[A-Za-oq-z]=[^,]*)*),p=(?<proof>[A-Za-z0-9+/]{43}=)$`,
);

/**
 * client-first-message of RFC 5802. Its user name is ignored, as in PostgreSQL, which uses the user name of
 * the start-up packet.
 */
export interface ClientFirst {
  /** `n`, `y`, or `p=` and the name of a channel binding. */
  readonly flag: string;
  readonly gs2Header: string;
  readonly bare: string;
  readonly nonce: string;
}

/** client-final-message of RFC 5802. */
export interface ClientFinal {
  readonly withoutProof: string;
  /** Base64 of the gs2 header, followed by the channel binding data if channel binding is used. */
  readonly binding: string;
  readonly nonce: string;
  readonly proof: Buffer;
}

/**
 * Parses client-first-message. Decodes it as latin1, which keeps every byte, because SCRAM signs bytes and a
 * name may have any encoding.
 */
export function parseClientFirst(message: Buffer): ClientFirst {
  const groups = CLIENT_FIRST.exec(message.toString('latin1'))?.groups;
  if (groups === undefined) throw malformedStartUp('The first SCRAM message is malformed.');
  const { flag = '', gs2 = '', authzid, bare = '', must, nonce = '' } = groups;
  if (authzid !== undefined)
    throw signInRefusal('not_spoken', '0A000', 'SCRAM authorization identities are not supported.');
  if (must !== undefined)
    throw signInRefusal(
      'not_spoken',
      '0A000',
      'The client requires a SCRAM extension that is not supported.',
    );
  return { flag, gs2Header: gs2, bare, nonce };
}

export function parseClientFinal(message: Buffer): ClientFinal {
  const groups = CLIENT_FINAL.exec(message.toString('latin1'))?.groups;
  if (groups === undefined) throw malformedStartUp('The last SCRAM message is malformed.');
  const { bare = '', binding = '', nonce = '', proof = '' } = groups;
  return { withoutProof: bare, binding, nonce, proof: Buffer.from(proof, 'base64') };
}
