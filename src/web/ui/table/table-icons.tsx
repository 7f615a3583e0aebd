import { icon } from '#web/ui/icons.tsx';

// Apart from the others, which every page loads.
export const ChevronIcon = icon(<path d="M6 9l6 6 6-6" />);
export const SortedIcon = icon(<path d="M12 19V5M6 11l6-6 6 6" />);
export const ColumnsIcon = icon(<path d="M4 5h16v14H4zM10 5v14M15 5v14" />);
