/**
 * Digits with their thousands apart: `12,345`. Not by `Intl.NumberFormat`, the first of which takes a browser 20 to 50
 * ms of a desktop computer's time, before the page answers to a finger.
 */
export const grouped = (digits: string): string => digits.replace(/\B(?=(?:\d{3})+$)/g, ',');

/** A number of things as users read it: `12,345`. */
export const formatCount = (count: number): string => grouped(String(count));
