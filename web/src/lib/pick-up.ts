/** Where a tool is picked up, as a form has it. */
export interface PickUp {
  /** Five digits; fewer while they are typed; empty without. */
  zip: string;
  /** What the ZIP code or the browser says; null while that is not known. */
  point: { lat: number; lng: number } | null;
  /** As it is saved. */
  isKept: boolean;
}

/** The server rounds to half a mile before it keeps anything; the house number need not even leave the browser. */
export const roughly = ({ lat, lng }: { lat: number; lng: number }) => ({
  lat: Number(lat.toFixed(3)),
  lng: Number(lng.toFixed(3)),
});

export const toPickUp = (saved: { zip: string } | null): PickUp => ({
  zip: saved?.zip ?? '',
  point: null,
  isKept: saved !== null,
});

/** Null where it is whole or empty. */
export const pickUpRule = ({ zip, point, isKept }: PickUp): string | null => {
  if (!zip || isKept) return null;
  if (zip.length < 5) return 'Please enter a ZIP code of five digits';
  return point ? null : 'Please check the ZIP code';
};
