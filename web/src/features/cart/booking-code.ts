/** Suggests a booking code of `LT` and six digits. The server uses this code if it is still free. */
export function drawBookingCode(): string {
  return `LT${100_000 + Math.floor(Math.random() * 900_000)}`;
}
