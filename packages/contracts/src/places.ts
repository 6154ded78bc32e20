/** A place in degrees. */
export interface Point {
  lat: number;
  lng: number;
}

/** Half a mile, in degrees of latitude. */
const step = 0.0075;

const toSteps = (degrees: number, size: number): number =>
  Number((Math.round(degrees / size) * size).toFixed(4));

/**
 * Returns the center of the half-mile square that contains a point. All public distances are measured from this
 * center, so that even repeated queries from several points reveal only the square. Idempotent.
 */
export const roundPlace = ({ lat, lng }: Point): Point => {
  const row = toSteps(lat, step);
  // Degrees of longitude shrink toward the poles.
  const width = step / Math.max(0.01, Math.cos((row * Math.PI) / 180));
  return { lat: row, lng: toSteps(lng, width) };
};

export const metersPerMile = 1_609.344;

const earthMiles = 3_958.8;

export const milesBetween = (a: Point, b: Point): number => {
  const radians = (degrees: number) => (degrees * Math.PI) / 180;
  const half = (from: number, to: number) => Math.sin(radians(to - from) / 2) ** 2;
  const chord =
    half(a.lat, b.lat) + Math.cos(radians(a.lat)) * Math.cos(radians(b.lat)) * half(a.lng, b.lng);
  return 2 * earthMiles * Math.asin(Math.min(1, Math.sqrt(chord)));
};

/** Bookings use the time zone and address of the owner's city, so a pick-up place must be near that city. */
export const mostMilesFromCity = 50;

/** Formats the pick-up place in one line, with the street for readers who may see it. */
export const pickUpPlace = ({
  address,
  city,
  state,
}: {
  address: string | null;
  city: string;
  state: string;
}): string => [address, city, state].filter(Boolean).join(', ');
