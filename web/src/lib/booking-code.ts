/** LT and six digits; a request that the server honors if the code is still free. */
export function drawBookingCode(): string {
  return `LT${100_000 + Math.floor(Math.random() * 900_000)}`;
}
