import { readTexts, type ShopTexts } from '#contract/law/texts.ts';
import type { Api } from '#web/api/client.ts';

/** What stands in the house rules; asked for here, as a page that is found needs none of it. */
export const loadTexts = (api: Api): Promise<ShopTexts> => api.call(readTexts, {});

export { HouseRules } from './house-rules.tsx';
export { ShopWindow } from './shop-window.tsx';
