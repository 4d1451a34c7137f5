import { compileEntry } from '../../../../test/support/rule-entries';

describe('a detector entry', () => {
  const compile = (detectors: string[], direction: 'input' | 'output' = 'output') =>
    compileEntry({ type: 'detector', detectors: detectors as never }, direction);

  it('is refused where it has no effect', () => {
    expect(() => compile(['email'], 'input')).toThrow('input.rules.0: detector entries screen output only');
    expect(() => compile([])).toThrow('output.rules.0: detectors must not be empty');
    expect(() => compile(['shoe_size'])).toThrow('output.rules.0: detector shoe_size is unknown');
  });

  it('looks for each kind of data once', () => {
    expect(compile(['email', 'jwt', 'email'])?.test).toEqual({ kind: 'detectors', names: ['email', 'jwt'] });
  });
});
