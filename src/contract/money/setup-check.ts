import { Type, type Static } from 'typebox';
import { endpoint } from '#contract/endpoint.ts';
import { IsoTime } from '#contract/scalars.ts';

/**
 * What was found of one thing that paying sellers needs. `advice`: it works, and may not for ever; `refused`: the
 * provider will not. `words` are the provider's own, empty where it said nothing.
 */
export const SetupFinding = Type.Object({
  what: Type.String(),
  state: Type.Union([Type.Literal('ok'), Type.Literal('advice'), Type.Literal('refused')]),
  says: Type.String(),
  words: Type.String(),
});
export type SetupFinding = Static<typeof SetupFinding>;

export const SetupCheck = Type.Object({ checkedAt: IsoTime, findings: Type.Array(SetupFinding) });
export type SetupCheck = Static<typeof SetupCheck>;

/**
 * Tries at the provider what paying sellers needs: makes an account like a seller's, which nobody is paid by (one a day
 * at most), and asks how the shop's own balance is paid out. 502 where it does not answer.
 */
export const checkSetup = endpoint({
  method: 'POST',
  path: '/money/setup-check',
  summary: 'Tries whether sellers can be paid through the provider',
  access: 'admin',
  status: 200,
  answer: SetupCheck,
  refused: { checkedAt: null, findings: [] },
  personal: true,
});
