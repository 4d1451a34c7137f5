/** Has the browser save what is at an address. @param name of the file; without it, as the gateway says */
export function saveAs(address: string, name = ''): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
}
