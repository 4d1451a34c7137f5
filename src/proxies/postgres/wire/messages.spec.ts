import * as fc from '../../../../test/support/fast-check';
import {
  authenticationCleartextPassword,
  authenticationOk,
  authenticationSasl,
  authenticationSaslContinue,
  authenticationSaslFinal,
} from './authentication';
import { errorResponse, noticeResponse } from './error-fields';
import { text, textAt } from './message';
import { parsePassword, parseSaslInitialResponse } from './password-message';
import { backendKeyData, negotiateProtocolVersion, parameterStatus, readyForQuery } from './start-up-answers';

/** Byte for byte as PostgreSQL 18 sends them ("Message Formats"). */
describe('messages of the handshake', () => {
  it.each([
    ['AuthenticationOk', authenticationOk(), 'R\0\0\0\x08\0\0\0\0'],
    ['AuthenticationCleartextPassword', authenticationCleartextPassword(), 'R\0\0\0\x08\0\0\0\x03'],
    ['AuthenticationSASL', authenticationSasl(['A', 'BC']), 'R\0\0\0\x0e\0\0\0\x0aA\0BC\0\0'],
    ['AuthenticationSASLContinue', authenticationSaslContinue('r=1'), 'R\0\0\0\x0b\0\0\0\x0br=1'],
    ['AuthenticationSASLFinal', authenticationSaslFinal('v=1'), 'R\0\0\0\x0b\0\0\0\x0cv=1'],
    ['ParameterStatus', parameterStatus('a', 'b'), 'S\0\0\0\x08a\0b\0'],
    ['BackendKeyData', backendKeyData(258, Buffer.from('keyy')), 'K\0\0\0\x0c\0\0\x01\x02keyy'],
    ['ReadyForQuery', readyForQuery('T'), 'Z\0\0\0\x05T'],
    [
      'NegotiateProtocolVersion',
      negotiateProtocolVersion(2, ['_pq_.x']),
      'v\0\0\0\x13\0\x03\0\x02\0\0\0\x01_pq_.x\0',
    ],
    [
      'ErrorResponse',
      errorResponse({ severity: 'FATAL', code: '28P01', message: 'No.' }),
      'E\0\0\0\x1fSFATAL\0VFATAL\0C28P01\0MNo.\0\0',
    ],
    [
      'NoticeResponse',
      noticeResponse({ severity: 'NOTICE', code: '00000', message: 'm', detail: 'd', hint: 'h' }),
      'N\0\0\0\x25SNOTICE\0VNOTICE\0C00000\0Mm\0Dd\0Hh\0\0',
    ],
  ])('%s', (_, bytes, expected) => {
    expect(bytes.toString('latin1')).toBe(expected);
  });

  it('are not shifted by a NUL in a text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (value) => {
        expect(text(value).indexOf(0)).toBe(text(value).length - 1);
      }),
    );
  });

  it('read a text back; without a NUL there is none', () => {
    expect(textAt(Buffer.from('xab\0c'), 1)).toEqual({ value: 'ab', end: 3 });
    expect(textAt(Buffer.from('xab'), 1)).toBeUndefined();
    expect(textAt(Buffer.from('x\0'), 2)).toBeUndefined();
  });
});

describe('parsePassword', () => {
  it('takes exactly one text', () => {
    expect(parsePassword(Buffer.from('hush\0'))).toBe('hush');
    expect(parsePassword(Buffer.from('\0'))).toBe('');
    expect(parsePassword(Buffer.from('hush'))).toBeUndefined();
    expect(parsePassword(Buffer.from('hush\0x'))).toBeUndefined();
    expect(parsePassword(Buffer.from('hush\0\0'))).toBeUndefined();
    expect(parsePassword(Buffer.alloc(0))).toBeUndefined();
  });
});

describe('parseSaslInitialResponse', () => {
  it.each([
    ['M\0\0\0\0\x02ab', { mechanism: 'M', data: Buffer.from('ab') }],
    ['M\0\0\0\0\0', { mechanism: 'M', data: Buffer.alloc(0) }],
    ['M\0\xff\xff\xff\xff', { mechanism: 'M', data: undefined }],
    ['M\0\xff\xff\xff\xffa', undefined],
    ['M\0\xff\xff\xff\xfe', undefined],
    ['M\0\0\0\0\x03ab', undefined],
    ['M\0\0\0\0\x01ab', undefined],
    ['M\0\0\0\0', undefined],
    ['M', undefined],
    ['', undefined],
  ])('reads %j', (bytes, expected) => {
    expect(parseSaslInitialResponse(Buffer.from(bytes, 'latin1'))).toEqual(expected);
  });

  it('never throws', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        const read = parseSaslInitialResponse(Buffer.from(bytes));
        if (read?.data !== undefined) expect(read.data.length).toBeLessThan(bytes.length);
      }),
    );
  });
});
