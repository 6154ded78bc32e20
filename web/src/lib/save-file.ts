export function saveFile(name: string, type: string, text: string): void {
  saveAddress(name, URL.createObjectURL(new Blob([text], { type })));
}

/** Saves the file of an object URL, and revokes the URL. */
export function saveAddress(name: string, address: string): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // Revoke the URL later, because some browsers read it only after the click event.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
