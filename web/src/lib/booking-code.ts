/** LT and six digits; a wish that the server keeps where it is still free. */
export function drawBookingCode(): string {
  return `LT${100_000 + Math.floor(Math.random() * 900_000)}`;
}
