/** A point on the earth, in degrees. */
export interface Point {
  readonly latitude: number;
  readonly longitude: number;
}

const EARTH_RADIUS_KM = 6371;
const KM_PER_DEGREE = (EARTH_RADIUS_KM * Math.PI) / 180;

const radians = (degrees: number): number => (degrees * Math.PI) / 180;

/** How far two points are apart along the earth, which is taken as a ball (the haversine formula). */
export const kmBetween = (a: Point, b: Point): number => {
  const half = (from: number, to: number): number => Math.sin(radians(to - from) / 2) ** 2;
  const part =
    half(a.latitude, b.latitude) +
    Math.cos(radians(a.latitude)) * Math.cos(radians(b.latitude)) * half(a.longitude, b.longitude);
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.min(1, Math.sqrt(part)));
};

/** Whether `b` is so near to `a`; most points are told apart by their latitude alone. */
export const isWithin = (km: number, a: Point, b: Point): boolean =>
  Math.abs(a.latitude - b.latitude) * KM_PER_DEGREE <= km && kmBetween(a, b) <= km;
