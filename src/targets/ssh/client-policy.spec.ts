import { sshClientFields, sshClientPolicy } from './client-policy';

describe('sshClientPolicy', () => {
  it.each<[Record<string, string>, object]>([
    [{}, { commands: true, shells: true, files: 'write', recordsTerminalInput: false }],
    [{ CLIENT_MAY: 'command' }, { commands: true, shells: false, files: 'none' }],
    [{ CLIENT_MAY: 'sftp-read, shell' }, { commands: false, shells: true, files: 'read' }],
    [{ CLIENT_MAY: 'sftp,sftp-read' }, { files: 'write' }],
    [{ TERMINAL_INPUT: 'recorded' }, { recordsTerminalInput: true }],
  ])('of %j', (secret, policy) => {
    expect(sshClientPolicy(secret)).toMatchObject(policy);
  });

  it('is not made of other words', () => {
    const fault = sshClientFields['CLIENT_MAY']?.check;
    expect(fault?.('command, shell')).toBeUndefined();
    for (const value of ['commands', 'command;shell', ',', 'Shell'])
      expect(fault?.(value)).toContain('must list');
  });
});
