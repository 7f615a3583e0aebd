export { HouseRules } from './house-rules.tsx';
export { ShopWindow } from './shop-window.tsx';
