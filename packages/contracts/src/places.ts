/** A point on the map, in degrees. */
export interface Point {
  lat: number;
  lng: number;
}

/** Half a mile, in degrees of latitude. */
const step = 0.0075;

const toSteps = (degrees: number, size: number): number =>
  Number((Math.round(degrees / size) * size).toFixed(4));

/**
 * The middle of the square of about half a mile that a point is in. Everything from which others could derive a
 * place, above all distances, is computed from it: however often somebody asks, and from wherever, they find the
 * square and not a home. Rounding what is rounded changes nothing.
 */
export const roundPlace = ({ lat, lng }: Point): Point => {
  const row = toSteps(lat, step);
  // Degrees of longitude are shorter toward the poles.
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

/** A pick-up place is in or around its owner's city, whose time zone and address the bookings have. */
export const mostMilesFromCity = 50;

/** Where a tool is picked up, in one line: the street as well, for those who may know it. */
export const pickUpPlace = ({
  address,
  city,
  state,
}: {
  address: string | null;
  city: string;
  state: string;
}): string => [address, city, state].filter(Boolean).join(', ');
