import { listProviders, type SignInWay } from '#contract/users/social.ts';
import type { Api } from '#web/api/client.ts';

export interface WaysData {
  readonly ways: readonly SignInWay[] | undefined;
}

/** Which services the shop is set up for. A form without this knowledge is still a form: a press then tells. */
export const loadWays = async (api: Api): Promise<WaysData> => ({
  ways: await api.call(listProviders, {}).then(
    (ways) => ways,
    () => undefined,
  ),
});
