/** Banks take up to ten business days to show a refund on a card. */
const businessDays = 10;
const dayMs = 86_400_000;

/** The day by which a refund has reached the card, as an ISO instant. */
export function refundArrivesBy(orderedAt: string): string {
  let atMs = Date.parse(orderedAt);
  for (let left = businessDays; left > 0; ) {
    atMs += dayMs;
    const weekday = new Date(atMs).getUTCDay();
    if (weekday !== 0 && weekday !== 6) left -= 1;
  }
  return new Date(atMs).toISOString();
}
