/**
 * Makes the browser save the file at an address. @param name of the file; by default the gateway's file name
 */
export function saveAs(address: string, name = ''): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
}
