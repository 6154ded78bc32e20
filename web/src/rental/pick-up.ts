export interface PickUp {
  /** The ZIP code: five digits, fewer while typing, or empty if there is no pick-up place. */
  zip: string;
  /** The location of the ZIP code or of the browser; null until it is known. */
  point: { lat: number; lng: number } | null;
  /** Whether the stored place is unchanged. */
  isKept: boolean;
}

/** Validates a value restored from storage. */
export function isPickUp(kept: unknown): kept is PickUp {
  const { zip, point, isKept } = (kept ?? {}) as Partial<PickUp>;
  const isPoint = point === null || (Number.isFinite(point?.lat) && Number.isFinite(point?.lng));
  return typeof zip === 'string' && isPoint && typeof isKept === 'boolean';
}

export function toPickUp(saved: { zip: string } | null): PickUp {
  return {
    zip: saved?.zip ?? '',
    point: null,
    isKept: saved !== null,
  };
}

/** The validation error; null if the field is complete or empty. */
export function pickUpRule({ zip, point, isKept }: PickUp): string | null {
  if (!zip || isKept) return null;
  if (zip.length < 5) return 'Please enter a ZIP code of five digits';
  return point ? null : 'Please check the ZIP code';
}
