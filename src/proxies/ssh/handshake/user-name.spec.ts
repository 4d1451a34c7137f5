import { readUserName } from './user-name';

const ID = '0b9f6a3e-1111-4222-8333-944455556666';

describe('readUserName', () => {
  it.each([
    [ID, { kind: 'credential', id: ID, connection: undefined }],
    [ID.toUpperCase(), { kind: 'credential', id: ID, connection: undefined }],
    [`prod-web+${ID}`, { kind: 'credential', id: ID, connection: 'prod-web' }],
    [`a+b+${ID}`, { kind: 'credential', id: ID, connection: 'a+b' }],
    [`+${ID}`, { kind: 'credential', id: ID, connection: '' }],
    ['prod-web', { kind: 'connection', name: 'prod-web' }],
    ['a+b', { kind: 'connection', name: 'a+b' }],
    ['', { kind: 'connection', name: '' }],
    ['../../etc/passwd', { kind: 'connection', name: '../../etc/passwd' }],
    ['e\u0301', { kind: 'connection', name: '\u00e9' }],
  ])('reads %j', (user, named) => {
    expect(readUserName(user)).toEqual(named);
  });
});
