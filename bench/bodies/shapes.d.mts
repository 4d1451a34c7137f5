export interface BodyOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
}
export interface BodyShape {
  readonly name: string;
  readonly body: string;
}
export function bodyOperations(document: object): BodyOperation[];
export function bodyShapes(document: object, operation: BodyOperation): BodyShape[];
export function nullShapes(
  document: object,
  operation: BodyOperation,
): (BodyShape & { readonly schema: { readonly type?: string; readonly nullable?: boolean } })[];
