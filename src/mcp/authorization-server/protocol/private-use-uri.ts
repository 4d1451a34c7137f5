/**
 * Matches a URI with a scheme of RFC 3986 in lower case. The scheme has more than one letter, unlike a
 * Windows drive. A host follows, or only a path (RFC 8252, section 7.1).
 */
const PRIVATE_USE = /^([a-z][a-z\d+.-]+):\/(?:\/[^/?@]+(?:[/?]|$)|[^/?@][^?@]*(?:\?|$))/;

/**
 * Schemes of the browser or of system programs, which no other application can own. Some run the content of
 * the URI (`javascript:`, `x-man-page:`), some read files, some open other addresses.
 */
const TAKEN = new Set(
  (
    'about acap acct adiumxtra admin afp aim android-app appstream apt bitcoin blob bolo callto chrome cid content cvs data dav dict dns ' +
    'ed2k facetime facetime-audio fax feed file filesystem finger firefox ftp ftps geo git go gopher gtalk h323 hcp http https iax icap ' +
    'im imap imaps info intent irc irc6 ircs its itms jar jdbc jms jsr keyparc ldap ldapi ldaps livescript magnet mailserver mailto maps ' +
    'market message mhtml microsoft-edge mid mk mms mocha mongodb mtqp mvn mysql news nfs ni nntp opera-error pack pcap pop pop3 pop3s ' +
    'postgres postgresql pres prospero rdp redis res resource rlogin rsync rtmp rtsp safari search service session sftp sgn shell shortcuts ' +
    'sip sips sms smb smtp smtps snews snmp ssh svn tel telnet tftp tn3270 tv udp unreal urn vbs vbscript view-source vnc wais webcal ' +
    'wpad ws wss wyciwyg x-man-page xmpp z39.50r z39.50s'
  ).split(' '),
);
/**
 * Prefixes and suffixes of more schemes that no application can own: schemes of browsers, Windows, Office and
 * Apple, and schemes that a web page can register.
 */
const TAKEN_FAMILY =
  /^(?:ms-|search-|web\+|ext\+|git\+|svn\+|itms-|x-apple|apple-|view-|chrome-|edge|brave|opera|vivaldi|moz|resource-|wtai|data[.+-]|javascript|vbscript)|(?:-extension|-ms|-javascript)$/;

/**
 * Returns the scheme of a URI that leads to an application on the person's computer, such as `cursor`;
 * undefined for any other URI.
 */
export function privateUseScheme(uri: string): string | undefined {
  const scheme = PRIVATE_USE.exec(uri)?.[1];
  return scheme === undefined || TAKEN.has(scheme) || TAKEN_FAMILY.test(scheme) ? undefined : scheme;
}
