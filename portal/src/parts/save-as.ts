/**
 * Makes the browser save the file at a URL. @param name file name; empty for the gateway's file name
 */
export function saveAs(address: string, name = ''): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
}
