import { icon } from './icons.tsx';

// Apart from the others, which every page loads.
export const ArrowIcon = icon(<path d="M5 12h14M13 6l6 6-6 6" />);
