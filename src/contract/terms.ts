/**
 * Which wording of the shop's terms (`/#terms`) is in force: the day it was written. A checkout keeps the one that its
 * buyer saw, and the receipt names it; whoever changes the wording changes this.
 */
export const TERMS_VERSION = '2026-11-23';
