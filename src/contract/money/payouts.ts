import { Type, type Static } from 'typebox';

/** What the payment provider wants to know before, or to go on, paying somebody. */
export const PayoutRequirement = Type.Object({
  /** In words. */
  what: Type.String(),
  /** What is wrong with what was given; empty where nothing was. */
  problem: Type.String(),
  dueBy: Type.Union([Type.String(), Type.Null()]),
  /** Whether it is the seller's to do; else the provider is looking at it. */
  isYours: Type.Boolean(),
});
export type PayoutRequirement = Static<typeof PayoutRequirement>;
