/** Result of parsing a text that could not be read. */
export interface Unparseable {
  readonly kind: 'unparseable';
  readonly reason: string;
}
