/** Where a tool is picked up, as a form has it. */
export interface PickUp {
  /** Five digits; fewer while they are typed; empty without. */
  zip: string;
  /** What the ZIP code or the browser says; null while that is not known. */
  point: { lat: number; lng: number } | null;
  /** As it is saved. */
  isKept: boolean;
}

/** Whether something that was kept over a reload is one. */
export function isPickUp(kept: unknown): kept is PickUp {
  const { zip, point, isKept } = (kept ?? {}) as Partial<PickUp>;
  const isPoint = point === null || (Number.isFinite(point?.lat) && Number.isFinite(point?.lng));
  return typeof zip === 'string' && isPoint && typeof isKept === 'boolean';
}

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
