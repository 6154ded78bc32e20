/** `LT` and six digits. This is only a suggestion: the server uses the code if it is still free. */
export function drawBookingCode(): string {
  return `LT${100_000 + Math.floor(Math.random() * 900_000)}`;
}
